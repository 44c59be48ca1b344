// Practice: the list of puzzles, and the card of the one on the board.

import { isSure, relax } from './sure.js';
import { name } from './notation.js';
import { smallBoard } from './kept.js';

const SOLVED = 'kakugo-solved';
const $ = id => document.getElementById(id);
const solved = new Set(JSON.parse(localStorage.getItem(SOLVED) ?? '[]'));

const stars = grade => '★'.repeat(grade) + '☆'.repeat(5 - grade);
const sideWord = side => (side === 'black' ? 'Black' : 'White');

function about({ kind, stones, grade, missed, own, date }) {
  return [stars(grade), kind, `${stones} stone${stones === 1 ? '' : 's'}`,
    missed ? (own ? 'missed by you' : 'missed in the game') : '', date].filter(Boolean).join(' · ');
}

export function practiceDialog(board, send, preview) {
  const dialog = $('practice-dialog');
  let puzzles = [];
  let practice = null;

  $('practice').addEventListener('click', () => {
    $('practice-error').textContent = '';
    send({ do: 'practice', anew: false });
    dialog.showModal();
  });
  $('practice-anew').addEventListener('click', () => send({ do: 'practice', anew: true }));
  $('practice-which').addEventListener('change', list);
  $('puzzle-next').addEventListener('click', () => next());
  $('puzzle-solution').addEventListener('click', () => {
    const over = practice?.stage === 'solved' || practice?.stage === 'shown';
    if (over || isSure($('puzzle-solution'), 'Give up?')) send({ do: 'solution' });
  });

  // Those in the order of their grade, one's own missed wins first.
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
      title.textContent = `${solved.has(puzzle.key) ? '✓ ' : ''}${sideWord(puzzle.side)} to play and win`;
      const told = document.createElement('p');
      told.textContent = `${about(puzzle)} · ${puzzle.black} – ${puzzle.white}`;
      const open = Object.assign(document.createElement('button'),
        { type: 'button', textContent: 'Solve' });
      open.addEventListener('click', () => send({ do: 'puzzle', number: puzzle.number }));
      words.append(title, told);
      item.append(smallBoard(puzzle), words, open);
      return item;
    }));
  }

  return {
    show(message) {
      puzzles = message.puzzles;
      const found = `${puzzles.length} puzzle${puzzles.length === 1 ? '' : 's'}`;
      $('practice-state').textContent = message.goes_on
        ? `${found} so far, ${message.games} games looked through …`
        : puzzles.length ? `${found} in your latest games.`
          : 'No forced win was found in the games kept. Play some, then look again.';
      if (dialog.open) list();
    },
    showState(state) {
      practice = state.practice;
      $('puzzle').hidden = !practice;
      if (!practice) return;
      const { stage, said, side, hinted, mistakes } = practice;
      if (stage === 'solved' && !hinted && !solved.has(practice.key)) {
        solved.add(practice.key);
        localStorage.setItem(SOLVED, JSON.stringify([...solved].slice(-2000)));
      }
      const at = p => name(p, state.height, board.options.fromTop);
      const other = sideWord(side === 'black' ? 'white' : 'black');
      const reply = said?.reply ? ` ${other} answers ${at(said.reply)}.` : '';
      $('puzzle-about').textContent = about(practice);
      $('puzzle-says').className = stage === 'solved' ? 'right' : said?.verdict ?? '';
      $('puzzle-says').textContent = stage === 'judging' ? 'Is that right? …'
        : stage === 'shown' ? 'This is how it is won.'
          : stage === 'solved' ? `Solved${hinted ? ' with a hint' : mistakes ? '' : ' at the first try'}.`
            : said?.verdict === 'wrong' ? `${at(said.tried)} does not win by force.${reply} Try again.`
              : said?.verdict === 'right' ? `Right.${reply} Go on.`
                : `${sideWord(side)} to play and win.`;
      if (this.stage !== stage) relax($('puzzle-solution'));
      this.stage = stage;
      if (practice.solution && !this.shown) preview(practice.solution, side);
      this.shown = Boolean(practice.solution);
    },
    opened: () => dialog.close(),
    error: why => { $('practice-error').textContent = why; },
    isOpen: () => dialog.open,
  };
}
