// Scrolling to results: on a phone the cards are below the board.

// Scrolls if a part of the node is outside the window.
export function reveal(node) {
  const box = node.getBoundingClientRect();
  if (box.top >= 0 && box.bottom <= innerHeight) return;
  node.scrollIntoView({ block: 'start' });
}
