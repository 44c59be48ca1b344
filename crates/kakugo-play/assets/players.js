// Names and clocks of both players; clocks run on between two messages.

import { t, translated } from './language.js';
import { clock } from './notation.js';

let state;
let since = 0;
let next;

export function showPlayers(shown) {
  state = shown;
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
  clearTimeout(next);
  const gone = state.clock_runs ? performance.now() - since : 0;
  let wait = 100;
  for (const [i, side] of ['black', 'white'].entries()) {
    const player = state.players[i];
    const running = player.seat === state.seat ? gone : 0;
    const limits = [state.time.byoyomi ? null : player.left, player.turn_left].filter(limit => limit !== null);
    const left = limits.map(limit => Math.max(0, limit - running));
    const periods = state.time.byoyomi && byoyomi(player, running);
    const seat = document.getElementById(`seat-${side}`);
    const used = player.used + running;
    // Without clocks the time used is shown, in full seconds.
    if (player.seat === state.seat && !limits.length && !periods) wait = 1000 - used % 1000;
    const shown = [periods?.text, ...left.map(limit => clock(limit))].filter(Boolean);
    const text = shown.length ? shown.join(' · ') : used < 1000 ? '' : t('{0} used', clock(used, false));
    const time = seat.querySelector('time');
    if (time.textContent !== text) time.textContent = text;
    seat.classList.toggle('low', running > 0 && Boolean(left.some(limit => limit < 10000) || periods?.low));
  }
  if (state.clock_runs) next = setTimeout(tick, wait);
}

// The time of a player with byo-yomi: the time per game and the periods to come, or what is left of the
// period that runs and the number of periods.
function byoyomi({ left, overtime: [periods, before] }, running) {
  const period = state.time.byoyomi[1];
  const over = before + Math.max(0, running - left);
  if (left > running) return { text: `${clock(left - running)} + ${periods}×${period / 1000} s` };
  const lost = Math.min(periods, Math.floor(over / period));
  const rest = lost === periods ? 0 : period - over % period;
  return { text: `${clock(rest)} ×${periods - lost}`, low: rest < 10000 };
}
