// The connection: says hello, passes messages on, and comes back by itself after a break.

import { recall, remember } from './memory.js';

const SEAT = 'kakugo-room'; // this tab's room, kept over a reload
const PATIENCE = 60000; // for a game to be watched that is gone: its player may come back after a restart
const PAUSE = 3000; // between two questions for it

export function connect(handlers) {
  let socket;
  let wait = 200;
  let met = false; // whether there was a game
  let missing = null; // since when there is none
  let over = false; // whether it is waited for no more
  let seat = {}; // where the browser remembers nothing

  const watched = () => location.hash.match(/^#watch=([0-9a-f]+)$/)?.[1];

  function wish() {
    if (watched()) return { room: watched(), watch: 'yes' };
    return recall(SEAT, seat, 'sessionStorage');
  }

  // Who only watches gets no new game in place of one that is gone.
  function gone(message) {
    const first = missing === null;
    missing ??= Date.now();
    over = !watched() || Date.now() - missing > PATIENCE;
    if (over || first && !met) handlers.gone(message);
    wait = PAUSE;
  }

  function open() {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onopen = () => {
      wait = 200;
      socket.send(JSON.stringify(wish()));
    };
    socket.onmessage = event => {
      const message = JSON.parse(event.data);
      if (message.type === 'hello' && message.key) {
        seat = { room: message.room, key: message.key };
        remember(SEAT, seat, 'sessionStorage');
      }
      if (message.type === 'gone') { gone(message); return; }
      if (message.type === 'hello') [met, missing] = [true, null];
      handlers[message.type]?.(message);
    };
    socket.onclose = () => {
      if (over || left) return;
      if (met || missing === null) handlers.lost();
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 5000);
    };
  }

  // A page that is left may stay in the browser's memory: the game must not wait for it.
  let left = false;
  addEventListener('pagehide', () => {
    left = true;
    handlers.leaving();
    socket.close();
  });
  addEventListener('pageshow', event => {
    left = false;
    if (event.persisted) open();
  });

  open();
  return command => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(command));
    return true;
  };
}
