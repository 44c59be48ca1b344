// An animated picture of the game on the board, in the style that it has on the page.

import { element } from './board.js';
import { Gif } from './gif.js';
import { imageOf, picture, styled } from './picture.js';
import { positionAt } from './position.js';

const LONGEST = 640; // pixels of the longer side
const CELL = 40;
const STONE = 18.4;
const END = 4; // the last frame is shown so many times longer

// A stone without a board.
async function stone(board, side) {
  const svg = element('svg', { width: CELL, height: CELL }, document.body);
  svg.append(board.svg.querySelector('defs').cloneNode(true));
  const p = [0, 0];
  const [cx, cy] = board.at(p);
  svg.setAttribute('viewBox', `${cx - CELL / 2} ${cy - CELL / 2} ${CELL} ${CELL}`);
  board.stone(svg, p, side);
  const copy = styled(svg);
  svg.remove();
  return imageOf(new XMLSerializer().serializeToString(copy));
}

// Returns the file. Each move is shown for some hundredths of a second; `told` is called with the number of
// frames that are drawn and of all.
export async function animate(board, state, delay, told) {
  const [empty, black, white] = await Promise.all([imageOf(picture(board.svg, true)),
    stone(board, 'black'), stone(board, 'white')]);
  const { width, height } = board.svg.viewBox.baseVal;
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = Object.assign(document.createElement('canvas'),
    { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.scale(scale, scale);
  Object.assign(context, { textAlign: 'center', textBaseline: 'middle', font: '600 14px system-ui, sans-serif' });
  const grid = getComputedStyle(document.documentElement).getPropertyValue('--grid');
  const ring = (p, radius, colour, lineWidth) => {
    Object.assign(context, { strokeStyle: colour, lineWidth });
    context.beginPath();
    context.arc(...board.at(p), radius, 0, 2 * Math.PI);
    context.stroke();
  };
  const frames = state.line.length;
  const { numbers } = board.options;
  function draw(step) {
    context.drawImage(empty, 0, 0, width, height);
    const { stones, blocked, last, at } = positionAt(state, step);
    context.fillStyle = grid;
    for (const p of blocked.values()) {
      const [x, y] = board.at(p);
      context.fillRect(x - STONE, y - STONE, 2 * STONE, 2 * STONE);
    }
    for (const { p, side, number } of stones.values()) {
      const [x, y] = board.at(p);
      context.drawImage(side === 'black' ? black : white, x - CELL / 2, y - CELL / 2, CELL, CELL);
      if (number === undefined || number <= at - numbers) continue;
      context.fillStyle = side === 'black' ? '#fff' : '#111';
      context.fillText(number, x, y + .5);
    }
    if (step === state.step && state.row.length) for (const p of state.row) ring(p, STONE - 2.2, '#19a7ff', 4.5);
    else if (last) ring(last, numbers ? STONE - 2 : 6.5, '#e8590c', 3);
  }
  const gif = new Gif(canvas.width, canvas.height);
  for (let step = 0; step <= frames; step++) {
    draw(step);
    gif.add(context.getImageData(0, 0, canvas.width, canvas.height), step < frames ? delay : END * delay);
    if (step % 10) continue;
    told(step, frames);
    await new Promise(next => setTimeout(next));
  }
  return gif.blob();
}
