// What somebody has asked for must not appear where nobody looks: on a phone the cards lie below the board.

// Scroll, if part of this lies outside the window.
export function reveal(node) {
  const box = node.getBoundingClientRect();
  if (box.top >= 0 && box.bottom <= innerHeight) return;
  node.scrollIntoView({ block: 'start' });
}
