// Small boards in lists.

import { element } from './board.js';

// A small picture of the final position.
export function smallBoard({ width, height, position }) {
  const svg = element('svg', { class: 'small', viewBox: `-1 -1 ${width + 1} ${height + 1}` });
  svg.setAttribute('aria-hidden', 'true');
  let lines = '';
  for (let x = 0; x < width; x++) lines += `M${x} 0v${height - 1}`;
  for (let y = 0; y < height; y++) lines += `M0 ${y}h${width - 1}`;
  element('path', { class: 'small-grid', d: lines }, svg);
  position.forEach((points, i) => points.forEach(([cx, cy]) =>
    element('circle', { class: i ? 'small-white' : 'small-black', cx, cy, r: .46 }, svg)));
  return svg;
}
