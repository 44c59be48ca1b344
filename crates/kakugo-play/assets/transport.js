// The way to the room: a WebSocket, and requests for files. The static site has another module in the
// place of this one (`kakugo-site`), with the same exports.

import { t, translated } from './language.js';

export const hasSpectators = true; // other browsers can watch
// Programs are started only from pages on the machine itself, and the server checks that.
export const addsEngines = () => ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
export const exportsAll = false; // all saved games can be had as one file

// Calls `opened`, then `received` with each message, and `closed` at the end.
export function openConnection({ opened, received, closed }) {
  const socket = new WebSocket(new URL('./socket', location).href.replace(/^http/, 'ws'));
  socket.onopen = opened;
  socket.onmessage = event => received(JSON.parse(event.data));
  socket.onclose = closed;
  return {
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: message => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
}

// Sends a request, or throws the text of a refusal.
async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error(t('Kakugo is not running any more.'));
  }
  if (!response.ok) throw new Error(translated(await response.json().catch(() => response.statusText)));
  return response;
}

// Gets a file.
export async function get(path) {
  return (await request(path)).blob();
}

// Uploads a file, or asks about the last one.
export async function post(path, { room, key }, body, about = {}) {
  const headers = { 'kakugo-room': room, 'kakugo-key': key };
  for (const [name, value] of Object.entries(about)) headers[`kakugo-${name}`] = encodeURIComponent(value);
  return (await request(path, { method: 'POST', headers, body })).json();
}
