// Storage of the browser. It may be disabled or contain anything: the page starts with defaults then.

// Returns the stored value with this name if it has the type of `otherwise`, else `otherwise`.
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
    // The value is valid while the page is open.
  }
}
