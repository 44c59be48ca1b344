// The connection: joins a room, passes messages on, and reconnects after a break.

import { browserSecret } from './seat.js';
import { recall, remember } from './storage.js';
import { openConnection } from './transport.js';

const SEAT = 'kakugo-room'; // this tab's room, which survives a reload
const LEVEL = 'kakugo-level'; // the level and the latest results of this browser's user
const PAIR = 'kakugo-pair'; // the room in which this browser's user has a guest
const PATIENCE = 60000; // ms to wait for a missing game that is to be watched: its player may return after a restart
const SLEEP = 25000; // ms without a tick after which the machine has slept
const PAUSE = 3000; // ms between two attempts

export function rememberLevel({ level, run }) {
  remember(LEVEL, { level, run });
}

export function connect(handlers) {
  let connection;
  let connections = 0;
  let wait = 200;
  let retry; // the timer of the next attempt
  let met = false; // true once there was a game
  let missing = null; // the time since which it is missing
  let over = false; // true once it is not awaited any more
  let seat = {}; // used if the browser stores nothing

  // A link to watch a game, or to take a seat with a secret.
  const link = () => location.hash.match(/^#(?:watch=([0-9a-f]+)|play=([0-9a-f]+)\.([0-9a-f]+))$/) ?? [];
  const watched = () => link()[1] ?? link()[2];

  function wish() {
    if (watched()) return { room: watched(), watch: 'yes', token: link()[3] };
    const own = recall(SEAT, seat, 'sessionStorage');
    return { ...own, level: recall(LEVEL, {}), back: own.room ? {} : recall(PAIR, {}) };
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
    // A connection that was renewed says nothing more.
    const number = connections += 1;
    // One connection at a time: an old one would stay in the room, unheard.
    clearTimeout(retry);
    connection?.close();
    const latest = report => data => { if (number === connections) report(data); };
    connection = openConnection({
      opened: latest(opened), received: latest(received), closed: latest(closed),
    });
  }

  function opened() {
    wait = 200;
    connection.send(wish());
    const token = link()[3];
    if (token) connection.send({ do: 'sit', token, browser: browserSecret() });
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
    retry = setTimeout(open, wait);
    wait = Math.min(wait * 2, 5000);
  }

  // After sleep or with another network, the connection may be dead without anybody knowing. In a game of
  // two people the other one waits.
  function renew() {
    if (!handlers.isPaired() || left || over) return;
    handlers.lost();
    open();
  }
  addEventListener('online', renew);
  let ticked = Date.now();
  setInterval(() => {
    const slept = Date.now() - ticked > SLEEP;
    ticked = Date.now();
    if (slept && !document.hidden) renew();
  }, 5000);

  // The browser may cache a page that was left: the game must not wait for it.
  let left = false;
  addEventListener('pagehide', () => {
    left = true;
    clearTimeout(retry);
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
