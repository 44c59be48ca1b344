// Links that hold a position.

import { name } from './notation.js';
import { positionAt } from './position.js';

// The position in a link: #p=15x15,renju,5,h8h9i8 with rows from the bottom. Two hyphens are a pass.
// A first position follows: black and white stones, blocked points, the side to move, as in
// `,b=h8g7,w=i9,x=a1,t=white`.
export function positionLink(state) {
  const position = positionAt(state, state.step);
  const text = points => points.map(p => name(p, state.height)).join('');
  const of = side => [...position.stones.values()].filter(stone => stone.side === side).map(({ p }) => p);
  const isEdited = state.edits.some(([step, { black, white, blocked, removed }]) => step <= state.step
    && [black, white, blocked, removed].some(points => points.length));
  // If the board was changed during the game, the position is all that counts.
  const start = isEdited
    ? { black: of('black'), white: of('white'), blocked: [...position.blocked.values()], turn: position.turn }
    : state.start;
  let [moves, turn] = ['', start.turn];
  const pass = () => { moves += '--'; turn = turn === 'black' ? 'white' : 'black'; };
  for (let i = 0; i < state.at && !isEdited; i++) {
    if (state.sides[i] !== turn) pass();
    if (state.moves[i]) moves += name(state.moves[i], state.height);
    else moves += '--';
    turn = state.sides[i] === 'black' ? 'white' : 'black';
  }
  if (turn !== position.turn) pass();
  const points = { b: start.black, w: start.white, x: start.blocked };
  const parts = Object.entries(points).filter(([, of]) => of.length).map(([key, of]) => `,${key}=${text(of)}`);
  if (parts.length || start.turn === 'white') parts.push(`,t=${start.turn}`);
  return `#p=${state.width}x${state.height},${state.rule},${state.win},${moves}${parts.join('')}`;
}

export function linkedGame(hash) {
  const match = hash.match(
    /^#p=(\d+)x(\d+),([a-z0-9-]+),(\d),([a-z0-9-]*)((?:,[bwx]=[a-z0-9]*|,t=(?:black|white))*)$/);
  if (!match) return null;
  const [, width, height, rule, win, moves, parts] = match;
  // The room reads bytes, and states which sizes exist.
  if (Math.max(width, height) > 255) return null;
  const seat = { player: 'human' };
  const setup = { width: Number(width), height: Number(height), rule, win: Number(win),
    seats: [seat, seat], opening: 'free' };
  const keys = { b: 'black', w: 'white', x: 'blocked', t: 'turn' };
  const start = Object.fromEntries(parts.split(',').filter(Boolean)
    .map(part => part.split('=')).map(([key, value]) => [keys[key], value]));
  return { do: 'new', moves, setup: parts ? { ...setup, start } : setup };
}

// The address of this page with this hash.
export const linkTo = hash => location.origin + location.pathname + hash;

// The addresses of this page for other machines, the most likely one first; none if they do not reach it.
export async function addresses() {
  if (!/^(localhost|127\.|\[::1\])/.test(location.host)) return [`${location.origin}/`];
  try {
    const response = await fetch('addresses');
    return response.ok ? (await response.json()).slice(0, 3) : [];
  } catch {
    return [];
  }
}
