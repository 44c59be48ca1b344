// Confirmation of actions that cannot be undone, by a second click.

const PATIENCE = 4000;

// Returns true on the second click. The first click changes the button's text for a while.
export function isSure(button, question) {
  if (button.dataset.words) { relax(button); return true; }
  button.dataset.words = button.textContent;
  // The text node remains: it is translated when the language changes.
  button.firstChild.data = question;
  button.relaxing = setTimeout(() => relax(button), PATIENCE);
  return false;
}

export function relax(button) {
  clearTimeout(button.relaxing);
  if (button.dataset.words) button.firstChild.data = button.dataset.words;
  delete button.dataset.words;
}
