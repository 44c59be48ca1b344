// The coach's card: what it says of a move or of the position, and what can be done about it.

import { t, translated } from './language.js';
import { names } from './notation.js';
import { recall, remember } from './storage.js';

const KEPT = 'kakugo-coach'; // the choice of this browser's user; 'first' until a first game has ended
const $ = id => document.getElementById(id);

export class Coach {
  constructor(board, send) {
    this.board = board;
    this.send = send;
    this.choice = recall(KEPT, '');
    $('coach-back').addEventListener('click', () => send({ do: 'undo' }));
    $('coach-on').addEventListener('click', () => send({ do: 'play_on' }));
    $('coach-off').addEventListener('click', () => { this.choose('off'); $('board').focus(); });
  }

  // The first game of a new player is explained. `gentle` is true if it is on the board.
  connected({ gentle, owns }) {
    if (!owns) return;
    if (!this.choice && gentle) this.choose('first');
    else this.tell();
  }

  choose(choice) {
    this.choice = choice;
    remember(KEPT, choice);
    this.tell();
  }

  // The value of the field in the dialog for a new game.
  get field() {
    return this.choice === 'first' ? 'explain' : this.choice || 'off';
  }

  tell() {
    const explains = this.field === 'explain';
    this.asked = explains ? 'large' : this.field;
    this.send({ do: 'coach', setting: this.asked, explains });
  }

  showState(state) {
    const { setting, watches, explains, says } = state.coach;
    // The card has its place before the answer comes, so that nothing moves.
    const wanted = setting === this.asked ? watches : this.asked !== 'off';
    const shown = state.owns && wanted && !state.practice;
    // The next game is not a first one any more.
    if (shown && this.choice === 'first') {
      if (state.over) this.ended = true;
      else if (this.ended && !state.step) { this.choose('off'); return; }
    }
    $('coach').hidden = !shown;
    if (!shown) return;
    const words = says ? translated(says.text)
      : explains || state.over ? '' : t('The coach watches this game.');
    if ($('coach-words').textContent !== words) $('coach-words').textContent = words;
    const points = says ? names(says.points, state.height, this.board.options.fromTop) : '';
    if ($('coach-points').textContent !== points) $('coach-points').textContent = points;
    $('coach').dataset.kind = says?.kind ?? '';
    $('coach-back').hidden = !says?.takes_back;
    $('coach-on').hidden = !says || says.kind === 'lesson';
    $('coach-on').textContent = says?.kind === 'threat' ? t('Close') : t('Play on');
  }
}
