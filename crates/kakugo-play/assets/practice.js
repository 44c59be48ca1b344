// Practice: the list of puzzles, and the card of the one on the board.

import { isSure, relax } from './confirm.js';
import { t, translated } from './language.js';
import { recall, remember } from './storage.js';
import { name } from './notation.js';
import { smallBoard } from './small-board.js';

const SOLVED = 'kakugo-solved';
const $ = id => document.getElementById(id);
const solved = new Set(recall(SOLVED, []));

const stars = grade => '★'.repeat(grade) + '☆'.repeat(5 - grade);
const sideWord = side => (side === 'black' ? t('Black') : t('White'));

function about({ kind, stones, grade, missed, own, date }) {
  return [stars(grade), translated(kind), t('{0} {0:stone|stones}', stones),
    missed ? (own ? t('missed by you') : t('missed in the game')) : '', date].filter(Boolean).join(' · ');
}

export function practiceDialog(board, send, preview) {
  const dialog = $('practice-dialog');
  let puzzles = [];
  let practice = null;
  let latest = null; // the latest list

  $('practice-anew').addEventListener('click', () => send({ do: 'practice', anew: true }));
  $('practice-which').addEventListener('change', list);
  $('puzzle-next').addEventListener('click', () => next());
  $('puzzle-solution').addEventListener('click', () => {
    const over = practice?.stage === 'solved' || practice?.stage === 'shown';
    if (over || isSure($('puzzle-solution'), t('Give up?'))) send({ do: 'solution' });
  });

  // The puzzles to show, in order of difficulty, the user's missed wins first.
  function wanted() {
    const which = $('practice-which').value;
    const rank = puzzle => (puzzle.own && puzzle.missed ? 0 : puzzle.missed ? 1 : 2);
    return puzzles.map((puzzle, number) => ({ ...puzzle, number }))
      .filter(puzzle => which === 'all' || (which === 'own' ? puzzle.own && puzzle.missed
        : !solved.has(puzzle.key)))
      .sort((a, b) => rank(a) - rank(b) || a.grade - b.grade || a.number - b.number);
  }

  function next() {
    const others = wanted().filter(puzzle => puzzle.key !== practice?.key);
    const following = others.find(puzzle => !solved.has(puzzle.key)) ?? others[0];
    if (following) send({ do: 'puzzle', number: following.number });
    else dialog.showModal();
  }

  function list() {
    $('practice-list').replaceChildren(...wanted().map(puzzle => {
      const item = document.createElement('li');
      const words = document.createElement('div');
      const title = document.createElement('b');
      title.textContent = (solved.has(puzzle.key) ? '✓ ' : '')
        + t('{0} to play and win', sideWord(puzzle.side));
      const told = document.createElement('p');
      told.textContent = `${about(puzzle)} · ${translated(puzzle.black)} – ${translated(puzzle.white)}`;
      const open = Object.assign(document.createElement('button'),
        { type: 'button', textContent: t('Solve') });
      open.addEventListener('click', () => send({ do: 'puzzle', number: puzzle.number }));
      words.append(title, told);
      item.append(smallBoard(puzzle), words, open);
      return item;
    }));
  }

  // The status of the puzzle on the board: text, and the verdict on the last answer.
  function says({ practice, height }) {
    if (!practice) return null;
    const { stage, said, side, hinted, mistakes } = practice;
    const at = p => name(p, height, board.options.fromTop);
    const other = sideWord(side === 'black' ? 'white' : 'black');
    const answers = () => said.reply && t('{0} answers {1}.', other, at(said.reply));
    const all = (...sentences) => sentences.filter(Boolean).join(' ');
    const verdict = stage === 'solved' ? 'right' : stage === 'shown' ? '' : said?.verdict ?? '';
    const words = stage === 'judging' ? t('Is that right? …')
      : stage === 'shown' ? t('This is how it is won.')
        : stage === 'solved' ? (hinted ? t('Solved with a hint.') : mistakes ? t('Solved.')
          : t('Solved at the first try.'))
          : said?.verdict === 'wrong' ? all(t('{0} does not win by force.', at(said.tried)), answers(),
            t('Try again.'))
            : said?.verdict === 'right' ? all(t('Right.'), answers(), t('Go on.'))
              : t('{0} to play and win.', sideWord(side));
    return { words, verdict };
  }

  return {
    says,
    ask() {
      $('practice-error').textContent = '';
      send({ do: 'practice', anew: false });
      dialog.showModal();
    },
    show(message) {
      latest = message;
      puzzles = message.puzzles;
      const found = puzzles.length;
      $('practice-state').textContent = message.goes_on
        ? t('{0} {0:puzzle|puzzles} so far, {1} {1:game|games} looked through …', found, message.games)
        : found ? t('{0} {0:puzzle|puzzles} in your latest games.', found)
          : t('No forced win was found in the games kept. Play some, then look again.');
      if (dialog.open) list();
    },
    translate() { if (latest) this.show(latest); },
    showState(state) {
      practice = state.practice;
      $('puzzle').hidden = !practice;
      if (!practice) return;
      const { stage, side, hinted } = practice;
      if (stage === 'solved' && !hinted && !solved.has(practice.key)) {
        solved.add(practice.key);
        remember(SOLVED, [...solved].slice(-2000));
      }
      $('puzzle-about').textContent = about(practice);
      if (this.stage !== stage) relax($('puzzle-solution'));
      this.stage = stage;
      if (practice.solution && !this.shown) preview(practice.solution, side);
      this.shown = Boolean(practice.solution);
    },
    opened: () => dialog.close(),
    error: why => { $('practice-error').textContent = why; },
  };
}
