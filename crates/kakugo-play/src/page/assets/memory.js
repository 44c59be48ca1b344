// What the browser remembers for this page. Some forbid it, and what is remembered may be anything: then
// the page begins like a new one.

// What was remembered under this name, if it is of the kind of `otherwise`.
export function recall(name, otherwise, store = 'localStorage') {
  try {
    const kept = JSON.parse(window[store].getItem(name));
    const kind = value => (Array.isArray(value) ? 'array' : value === null ? 'none' : typeof value);
    return kind(kept) === kind(otherwise) ? kept : otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value, store = 'localStorage') {
  try {
    window[store].setItem(name, JSON.stringify(value));
  } catch {
    // It holds as long as the page is open.
  }
}
