// Buttons whose deed cannot be taken back want a second click.

const PATIENCE = 4000;

// Whether this click is the second; the first changes the button's words for a while.
export function isSure(button, question) {
  if (button.dataset.words) { relax(button); return true; }
  button.dataset.words = button.textContent;
  button.textContent = question;
  button.relaxing = setTimeout(() => relax(button), PATIENCE);
  return false;
}

export function relax(button) {
  clearTimeout(button.relaxing);
  if (button.dataset.words) button.textContent = button.dataset.words;
  delete button.dataset.words;
}
