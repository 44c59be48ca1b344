// Small positions as text, and their drawing. Rows are separated by slashes. X is a black stone, O a
// white one, * a point to look at, ! a forbidden point. The edge of the board is far away.

import { element } from './board.js';

export const DIAGRAMS = {
  five: '.XXXXX.',
  six: '.XXXXXX.',
  enclosed: '.OXXXXXO.',
  open_four: '.*XXXX*.',
  four: '.OXXXX*.',
  split_four: '..XX*XX..',
  open_three: '..XXX..',
  split_three: '..X.XX..',
  stops: '..*OOO*..',
  double_three: '......./......./..XX*../....X../....X../.......',
  four_three: '......./......./OXXX*../....X../....X../.......',
  overline: '..XXX!XX..',
  double_four: '....O../....X../....X../....X../OXXX!../.......',
  forbidden_three: '......./......./..XX!../....X../....X../.......',
};

// Returns the drawing of a position, with a name for screen readers.
export function diagram(rows, words) {
  const lines = rows.split('/');
  const [w, h] = [lines[0].length, lines.length];
  const svg = element('svg', { class: 'diagram', viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': words,
    width: 22 * w });
  let grid = '';
  for (let x = 0; x < w; x++) grid += `M${x + .5} 0v${h}`;
  for (let y = 0; y < h; y++) grid += `M0 ${y + .5}h${w}`;
  element('path', { class: 'small-grid', d: grid }, svg);
  lines.forEach((line, y) => [...line].forEach((cell, x) => {
    const [cx, cy] = [x + .5, y + .5];
    if (cell === 'X' || cell === 'O') {
      element('circle', { class: cell === 'X' ? 'small-black' : 'small-white', cx, cy, r: .43 }, svg);
    }
    if (cell === '*') element('path', { class: 'to-see', d: `M${cx} ${cy - .3}l.3 .3l-.3 .3l-.3 -.3z` }, svg);
    if (cell === '!') element('path', { class: 'not-allowed', d: `M${cx - .22} ${cy - .22}l.44 .44m-.44 0l.44 -.44` }, svg);
  }));
  return svg;
}
