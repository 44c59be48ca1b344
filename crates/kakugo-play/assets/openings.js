// Openings: the moves played in the position, and the results of those games.

import { html } from './trainer.html';
import { linkButton } from './buttons.js';
import { elementOf } from './fragment.js';
import { language, t, translated } from './language.js';
import { name } from './notation.js';
import { reveal } from './scroll.js';

const $ = id => document.getElementById(id);

function cell(className, text) {
  return Object.assign(document.createElement('td'), { className, textContent: text ?? '' });
}

// The shares of Black's wins, draws and White's wins.
function bar([, black, white, draws]) {
  const box = cell('results');
  const all = black + white + draws;
  if (!all) return box;
  box.title = t('Black {0}, draws {1}, White {2}', black, draws, white);
  for (const [kind, count] of [['black', black], ['draw', draws], ['white', white]]) {
    if (!count) continue;
    const part = Object.assign(document.createElement('span'), { className: kind });
    part.style.width = `${100 * count / all}%`;
    const percent = Math.round(100 * count / all);
    part.textContent = percent >= 20 ? `${percent} %` : '';
    box.append(part);
  }
  return box;
}

export class Openings {
  // `look` shows a move on the board while the pointer is on it.
  constructor(board, play, look, send) {
    this.board = board;
    this.play = play;
    this.look = look;
    this.told = null;
    $('openings-about').before(elementOf(html));
    const train = command => { send(command); reveal($('status')); };
    for (const button of document.querySelectorAll('[data-train]')) {
      button.addEventListener('click', () => train({ do: 'train_openings', side: button.dataset.train }));
    }
    $('trainer-show').addEventListener('click', () => send({ do: 'show_openings' }));
    $('trainer-next').addEventListener('click', () => train({ do: 'next_opening' }));
    $('trainer-end').addEventListener('click', () => send({ do: 'end_openings' }));
  }

  // The training of openings: its moves are hidden until they are asked for.
  drawTrainer() {
    const { state, told: { next } } = this;
    const { trainer } = state;
    $('trainer-says').hidden = !trainer;
    if (trainer) {
      const { right, wrong, missed, known, total, more } = trainer;
      const progress = more ? t('{0} of more than {1} positions known.', known, total)
        : t('{0} of {1} positions known.', known, total);
      $('trainer-says').textContent = `${t('Right {0}, wrong {1}, to repeat {2}.', right, wrong, missed)} ${progress}`;
    }
    for (const button of document.querySelectorAll('[data-train]')) {
      button.hidden = Boolean(trainer);
      button.disabled = !state.owns || Boolean(state.practice) || !next?.length;
    }
    for (const id of ['trainer-show', 'trainer-next', 'trainer-end']) {
      $(id).hidden = !trainer;
      $(id).disabled = !state.owns;
    }
    if (trainer) $('trainer-show').disabled ||= trainer.over || trainer.shows;
    $('openings').classList.toggle('asks', Boolean(trainer) && !trainer.shows && !trainer.over);
  }

  // Scrolls into view once the files have been read.
  reveal() {
    this.awaited = true;
    this.draw();
  }

  show(told) {
    this.told = told;
    this.draw();
  }

  showState(state) {
    this.state = state;
    this.draw();
  }

  translate() {
    this.draw();
  }

  draw() {
    const { told, state } = this;
    // Spectators who look back see no openings of that position.
    $('openings').hidden = !told || Boolean(state?.past);
    if (!told || !state || state.past) return;
    if (told.reading) { $('openings-about').textContent = t('Reading the files …'); return; }
    this.drawTrainer();
    if (this.awaited) reveal($('openings'));
    this.awaited = false;
    const [lines] = told.here;
    $('openings-about').textContent = lines
      ? t('{0} of {1} lines come here ({2} {2:file|files}).', lines, told.lines, told.files)
      : told.kinds.length
        ? t('No game of this rule and size; there are {0}.', told.kinds.map(
          ([rule, long, short, count]) => t('{0} of {1} {2}×{3}', count, translated(rule), long, short)).join(', '))
        : t('None of {0} lines comes here.', told.lines);
    const shown = JSON.stringify([told, this.board.options.fromTop, state.height, language()]);
    if (shown === this.shown) return;
    this.shown = shown;
    $('openings-next').replaceChildren(...told.next.map(({ move, record }) => {
      const row = document.createElement('tr');
      const first = cell('');
      const button = linkButton('');
      button.textContent = name(move, state.height, this.board.options.fromTop);
      first.append(button);
      row.append(first, cell('', record[0]), bar(record));
      row.addEventListener('click', () => { this.look(null); this.play(move); });
      row.addEventListener('pointerenter', event => {
        if (event.pointerType !== 'touch') this.look(move);
      });
      row.addEventListener('pointerleave', () => this.look(null));
      return row;
    }));
  }
}
