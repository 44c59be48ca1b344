// The connection: says hello, passes messages on, and comes back by itself after a break.

const SEAT = 'kakugo-room'; // this tab's room, kept over a reload

export function connect(handlers) {
  let socket;
  let wait = 200;

  function wish() {
    const watch = location.hash.match(/^#watch=([0-9a-f]+)$/);
    if (watch) return { room: watch[1], watch: 'yes' };
    return JSON.parse(sessionStorage.getItem(SEAT) ?? '{}');
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
        sessionStorage.setItem(SEAT, JSON.stringify({ room: message.room, key: message.key }));
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
