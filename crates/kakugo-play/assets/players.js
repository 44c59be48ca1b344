// Names and clocks of both players; clocks run on between two messages.

import { t, translated } from './language.js';
import { clock } from './notation.js';

let state;
let since = 0;

export function showPlayers(next) {
  state = next;
  since = performance.now();
  for (const [i, side] of ['black', 'white'].entries()) {
    const seat = document.getElementById(`seat-${side}`);
    const name = translated(state.players[i].name);
    Object.assign(seat.querySelector('b'), { textContent: name, title: name });
    const turn = !state.over && state.players[i].seat === state.seat;
    seat.classList.toggle('turn', turn);
  }
  tick();
}

function tick() {
  if (!state) return;
  const gone = state.clock_runs ? performance.now() - since : 0;
  for (const [i, side] of ['black', 'white'].entries()) {
    const player = state.players[i];
    const running = player.seat === state.seat ? gone : 0;
    const limits = [player.left, player.turn_left].filter(limit => limit !== null);
    const left = limits.map(limit => Math.max(0, limit - running));
    const seat = document.getElementById(`seat-${side}`);
    const used = player.used + running;
    // Without clocks the time used is shown, in full seconds.
    const text = left.length ? left.map(clock).join(' · ') : used < 1000 ? '' : t('{0} used', clock(used, false));
    const time = seat.querySelector('time');
    if (time.textContent !== text) time.textContent = text;
    seat.classList.toggle('low', left.some(limit => limit < 10000) && running > 0);
  }
}

setInterval(tick, 100);
