// The seats of a game of two people on two devices.

import { recall, remember } from './storage.js';

const BROWSER = 'kakugo-guest';

// The seat of this page in a game of two people; `null` for spectators.
export function ownSeat({ pair }, { owns, guest }) {
  return pair && owns ? 1 - pair.guest : pair && guest ? pair.guest : null;
}

// The secret of this browser, with which it gets a guest's seat back.
export function browserSecret() {
  const known = recall(BROWSER, '');
  const secret = known || (browserSecret.latest ??= newToken());
  if (!known) remember(BROWSER, secret);
  return secret;
}

// 128 random bits: whoever knows them takes the seat.
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
