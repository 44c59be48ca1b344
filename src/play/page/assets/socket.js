// The connection: says hello, passes messages on, and comes back by itself after a break.

import { recall, remember } from './memory.js';

const SEAT = 'kakugo-room'; // this tab's room, kept over a reload

export function connect(handlers) {
  let socket;
  let wait = 200;
  let seat = {}; // where the browser remembers nothing

  function wish() {
    const watch = location.hash.match(/^#watch=([0-9a-f]+)$/);
    if (watch) return { room: watch[1], watch: 'yes' };
    return recall(SEAT, seat, 'sessionStorage');
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
      if (message.type === 'gone') wait = Infinity;
      handlers[message.type]?.(message);
    };
    socket.onclose = () => {
      if (wait === Infinity || left) return;
      handlers.lost();
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
