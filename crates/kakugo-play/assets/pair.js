// A game of two people on two devices: the invitation, who is here, and what one offers to the other.

import { t, translated } from './language.js';
import { addresses } from './link.js';
import { recall, remember } from './storage.js';
import { isSure, relax } from './confirm.js';

const NAME = 'kakugo-name';
const $ = id => document.getElementById(id);

// `send` sends a command. `tell` shows a message.
export class Pair {
  constructor(send, tell) {
    this.send = send;
    this.token = null; // the invitation, on the page of the host
    for (const what of ['undo', 'draw', 'pause', 'analysis']) {
      $(`offer-${what}`).addEventListener('click', () => this.offer(what));
    }
    for (const [id, accept] of [['accept', true], ['decline', false], ['withdraw', false]]) {
      $(id).addEventListener('click', () =>
        send({ do: 'answer', offer: this.state.pair.offer.number, accept }));
    }
    $('own-name').addEventListener('change', () => this.rename($('own-name').value));
    $('invite-open').addEventListener('click', () => this.open());
    $('uninvite').addEventListener('click', () => {
      if (!isSure($('uninvite'), t('Really?'))) return;
      $('invite').close();
      send({ do: 'uninvite' });
    });
    $('free-seat').addEventListener('click', () => {
      if (!isSure($('free-seat'), t('Really?'))) return;
      $('invite').close();
      send({ do: 'free_seat' });
    });
    $('invite-links').addEventListener('click', event => {
      const field = event.target.closest('button')?.previousElementSibling;
      if (field) copy(field, () => tell(t('Copied.')));
    });
  }

  offer(what) {
    if (what === 'pause' && this.state.paused) this.send({ do: 'pause', on: false });
    else this.send({ do: 'offer', what });
  }

  rename(name) {
    remember(NAME, name);
    this.send({ do: 'name', name });
  }

  // The page plays for one of the two: it brings its name along.
  seated(player) {
    const name = recall(NAME, '');
    if (name && ['Host', 'Guest'].includes([player.name].flat()[0])) this.send({ do: 'name', name });
  }

  // `isAsked` is true if the user has just asked for the invitation.
  invitation({ token }, { room, key }, isAsked) {
    const isNew = token && token !== this.token;
    this.token = token;
    remember('kakugo-pair', token ? { room, key } : {});
    this.room = room;
    if (isNew && isAsked) this.open();
  }

  async open() {
    const others = await addresses();
    $('invite-alone').hidden = others.length > 0;
    const bases = others.length ? others : [`${location.origin}/`];
    const links = bases.map(base => `${base}#play=${this.room}.${this.token}`);
    $('invite-code').hidden = !others.length;
    if (others.length) $('invite-code').src = await pictureOf(links[0]);
    $('invite-links').replaceChildren(...links.map(value => {
      const row = Object.assign(document.createElement('div'), { className: 'row' });
      const link = Object.assign(document.createElement('input'), { readOnly: true, value });
      // The property `ariaLabel` has no effect before Firefox 119.
      link.setAttribute('aria-label', t('Link'));
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: t('Copy') });
      row.append(link, button);
      return row;
    }));
    for (const id of ['uninvite', 'free-seat']) relax($(id));
    $('free-seat').hidden = !this.state?.pair?.joined;
    if (!$('invite').open) $('invite').showModal();
  }

  // `seat` is that of this page.
  show(state, seat, isHost) {
    const { pair } = state;
    const before = this.state?.pair;
    Object.assign(this, { state, seat, isHost });
    $('pair').hidden = !pair || seat === null;
    for (const [i, side] of ['black', 'white'].entries()) {
      const away = pair?.joined && !pair.here[state.players[i].seat];
      $(`seat-${side}`).classList.toggle('away', Boolean(away));
      $(`seat-${side}`).title = away ? t('disconnected') : '';
    }
    const offer = pair?.offer;
    $('offer').hidden = !offer || seat === null;
    // What both agree on takes the place of what one decides alone.
    const going = Boolean(pair && seat !== null && !pair.over && pair.joined);
    for (const what of ['undo', 'draw', 'pause', 'analysis']) $(`offer-${what}`).hidden = !going;
    if (!pair || seat === null) return;
    if (pair.joined && !before?.joined && $('invite').open) $('invite').close();
    const player = state.players.find(player => player.seat === 1 - seat);
    const name = translated(player.name);
    $('pair-says').textContent = !pair.joined ? t('Waiting for your friend. Send the link.')
      : pair.here[1 - seat] ? t('{0} is here.', name)
        : pair.over ? t('{0} is disconnected.', name) : t('{0} is disconnected. The clock goes on.', name);
    $('pair-says').classList.toggle('warning', pair.joined && !pair.here[1 - seat]);
    for (const id of ['invite-open', 'uninvite']) $(id).hidden = !isHost;
    $('offer-undo').disabled = !state.line.length;
    $('offer-pause').textContent = state.paused ? t('Go on') : t('Pause');
    $('offer-analysis').hidden ||= pair.analysis;
    if (document.activeElement !== $('own-name')) {
      // Default names are texts to be translated.
      const own = state.players.find(player => player.seat === seat).name;
      $('own-name').value = typeof own === 'string' ? own : '';
    }
    if (!offer) return;
    const mine = offer.by === seat;
    const words = {
      undo: t('{0} asks to take back a move.', name), draw: t('{0} offers a draw.', name),
      pause: t('{0} asks for a pause.', name), analysis: t('{0} suggests that both may analyse.', name),
      rematch: t('{0} offers a rematch.', name),
      new: t('{0} offers another game: {1}.', name, translated(offer.about)),
    };
    $('offer-says').textContent = mine ? t('Waiting for the answer of {0} …', name) : words[offer.what];
    for (const id of ['accept', 'decline']) $(id).hidden = mine;
    $('withdraw').hidden = !mine;
  }
}

// A QR code, for the camera of a phone.
async function pictureOf(text) {
  const response = await fetch('qr', { method: 'POST', body: text });
  return response.ok ? `data:image/svg+xml,${encodeURIComponent(await response.text())}` : '';
}

async function copy(field, done) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Pages of other machines have no other way.
    if (!document.execCommand('copy')) return;
  }
  done();
}
