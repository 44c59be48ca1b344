// The connection: joins a room, passes messages on, and reconnects after a break.

import { recall, remember } from './storage.js';
import { openConnection } from './transport.js';

const SEAT = 'kakugo-room'; // this tab's room, which survives a reload
const LEVEL = 'kakugo-level'; // the level and the latest results of this browser's user
const PATIENCE = 60000; // ms to wait for a missing game that is to be watched: its player may return after a restart
const PAUSE = 3000; // ms between two attempts

export function rememberLevel({ level, run }) {
  remember(LEVEL, { level, run });
}

export function connect(handlers) {
  let connection;
  let wait = 200;
  let met = false; // true once there was a game
  let missing = null; // the time since which it is missing
  let over = false; // true once it is not awaited any more
  let seat = {}; // used if the browser stores nothing

  const watched = () => location.hash.match(/^#watch=([0-9a-f]+)$/)?.[1];

  function wish() {
    if (watched()) return { room: watched(), watch: 'yes' };
    return { ...recall(SEAT, seat, 'sessionStorage'), level: recall(LEVEL, {}) };
  }

  // Spectators get no new game in place of a missing one.
  function gone(message) {
    const first = missing === null;
    missing ??= Date.now();
    over = !watched() || Date.now() - missing > PATIENCE;
    if (over || first && !met) handlers.gone(message);
    wait = PAUSE;
  }

  function open() {
    connection = openConnection({ opened, received, closed });
  }

  function opened() {
    wait = 200;
    connection.send(wish());
  }

  function received(message) {
    if (message.type === 'hello' && message.key) {
      seat = { room: message.room, key: message.key };
      remember(SEAT, seat, 'sessionStorage');
    }
    if (message.type === 'gone') { gone(message); return; }
    if (message.type === 'hello') [met, missing] = [true, null];
    handlers[message.type]?.(message);
  }

  function closed() {
    if (over || left) return;
    if (met || missing === null) handlers.lost();
    setTimeout(open, wait);
    wait = Math.min(wait * 2, 5000);
  }

  // The browser may cache a page that was left: the game must not wait for it.
  let left = false;
  addEventListener('pagehide', () => {
    left = true;
    handlers.leaving();
    connection.close();
  });
  addEventListener('pageshow', event => {
    left = false;
    if (event.persisted) open();
  });

  open();
  return command => {
    if (!connection.isOpen()) return false;
    connection.send(command);
    return true;
  };
}
