// Keys of any keyboard: other scripts and Caps Lock have other letters, other layouts other digits.

// The key of an event. A letter is a lower-case Latin one, by its place if the layout has none there.
export function keyOf({ key = '', code = '' }) {
  const [, place] = code.match(/^Key([A-Z])$/) ?? [];
  // An input method may keep the letter to itself.
  const isLatin = key.length === 1 ? key <= '~' : key !== 'Process';
  if (place && !isLatin) return place.toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}

// The digit of an event, by its place if the layout has a sign there; NaN without one.
export function digitOf({ key = '', code = '' }) {
  return Number(key) || Number(code.match(/^Digit(\d)$/)?.[1]);
}
