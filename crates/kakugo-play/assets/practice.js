// Practice: the sets of problems, the puzzles of the user's games, and the card of the one on the board.

import { isSure, relax } from './confirm.js';
import { elementOf } from './fragment.js';
import { t, translated } from './language.js';
import { recall } from './storage.js';
import { name } from './notation.js';
import { html } from './practice.html';
import { post } from './transport.js';
import { smallBoard } from './small-board.js';

// Puzzles that earlier versions have stored as solved in the browser.
const solvedBefore = new Set(recall('kakugo-solved', []));
const $ = id => document.getElementById(id);

const stars = grade => (grade ? '★'.repeat(grade) + '☆'.repeat(5 - grade) : '');
const sideWord = side => (side === 'black' ? t('Black') : t('White'));

function about({ title, step, kind, stones, grade, task, missed, own, date }) {
  return [title, step ? translated(step) : stars(grade), kind && translated(kind),
    stones && task === 'win' ? t('{0} {0:stone|stones}', stones) : '',
    missed ? (own ? t('missed by you') : t('missed in the game')) : '', date].filter(Boolean).join(' · ');
}

// `seat` returns the hello message.
export function practiceDialog(board, send, preview, seat) {
  const dialog = elementOf(html);
  document.body.append(dialog);
  let puzzles = [];
  let practice = null;
  let latest = null; // the latest list
  let sets = [];

  $('practice-anew').addEventListener('click', () => send({ do: 'practice', anew: true }));
  $('practice-which').addEventListener('change', list);
  $('puzzle-next').addEventListener('click', () => next());
  $('puzzle-solution').addEventListener('click', () => {
    const over = practice?.stage === 'solved' || practice?.stage === 'shown';
    if (over || isSure($('puzzle-solution'), t('Give up?'))) send({ do: 'solution' });
  });
  $('practice-file').addEventListener('change', async () => {
    const [file] = $('practice-file').files;
    if (!file) return;
    say('');
    try {
      const answer = await post('./file/practice', seat(), file,
        { name: file.name, rule: $('practice-rule').value });
      if (answer.ask) throw new Error(translated(answer.ask));
      send({ do: 'practice', anew: false });
      // What the file does not state, and what was skipped.
      if (answer.notice) say(translated(answer.notice), true);
    } catch (error) {
      say(error.message);
    }
    $('practice-file').value = '';
  });
  function say(text, isGood = false) {
    $('practice-error').textContent = text;
    $('practice-error').classList.toggle('told', isGood);
  }

  const isSolved = puzzle => puzzle.solved || solvedBefore.has(puzzle.key);

  // The puzzles to show, in order of difficulty, the user's missed wins first.
  function wanted() {
    const which = $('practice-which').value;
    const rank = puzzle => (puzzle.own && puzzle.missed ? 0 : puzzle.missed ? 1 : 2);
    return puzzles.map((puzzle, number) => ({ ...puzzle, number }))
      .filter(puzzle => which === 'all' || (which === 'own' ? puzzle.own && puzzle.missed : !isSolved(puzzle)))
      .sort((a, b) => rank(a) - rank(b) || a.grade - b.grade || a.number - b.number);
  }

  function next() {
    if (practice?.course) { send({ do: 'next_puzzle' }); return; }
    const others = wanted().filter(puzzle => puzzle.key !== practice?.key);
    const following = others.find(puzzle => !isSolved(puzzle)) ?? others[0];
    if (following) send({ do: 'puzzle', number: following.number });
    else dialog.showModal();
  }

  function list() {
    $('practice-list').replaceChildren(...wanted().map(puzzle => {
      const item = document.createElement('li');
      const words = document.createElement('div');
      const title = document.createElement('b');
      title.textContent = (isSolved(puzzle) ? '✓ ' : '') + t('{0} to play and win', sideWord(puzzle.side));
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

  // A button for each step of each set, with its counts.
  function drawSets() {
    $('practice-sets').replaceChildren(...sets.flatMap(({ set, name: file, steps }) => {
      const title = Object.assign(document.createElement('h3'),
        { textContent: { freestyle: t('Freestyle'), renju: t('Renju') }[set] ?? file });
      const row = Object.assign(document.createElement('div'), { className: 'steps' });
      row.dataset.set = set;
      row.append(...steps.map(({ step, words, total, solved, due }) => {
        const button = Object.assign(document.createElement('button'), { type: 'button' });
        button.dataset.step = step;
        const what = Object.assign(document.createElement('b'),
          { textContent: words ? `${step}. ${translated(words)}` : t('All positions') });
        const counts = Object.assign(document.createElement('span'), { textContent: [
          t('{0} of {1} solved', solved, total), due ? t('{0} to repeat', due) : ''].filter(Boolean).join(' · ') });
        button.append(what, counts);
        button.addEventListener('click', () => send({ do: 'train', set, step: step || null }));
        return button;
      }));
      return [title, row];
    }));
  }

  // The status of the puzzle on the board: text, and the verdict on the last answer.
  function says({ practice, height }) {
    if (!practice) return null;
    const { stage, said, side, hinted, mistakes, task } = practice;
    const at = p => name(p, height, board.options.fromTop);
    const other = sideWord(side === 'black' ? 'white' : 'black');
    const answers = () => said.reply && t('{0} answers {1}.', other, at(said.reply));
    const all = (...sentences) => sentences.filter(Boolean).join(' ');
    const verdict = stage === 'solved' ? 'right' : stage === 'shown' ? '' : said?.verdict ?? '';
    const wrong = () => (task === 'five' ? t('{0} does not make five.', at(said.tried))
      : task === 'win' ? all(t('{0} does not win by force.', at(said.tried)), answers())
        : said.reply ? t('{0} does not help: {1} plays {2} and wins.', at(said.tried), other, at(said.reply))
          : t('{0} does not help.', at(said.tried)));
    const words = stage === 'judging' ? t('Is that right? …')
      : stage === 'shown' ? (task === 'defend' ? t('This is how {0} would win.', other)
        : practice.solution?.length ? t('This is how it is won.') : t('The solution is not known.'))
        : stage === 'solved' ? (hinted ? t('Solved with a hint.') : mistakes ? t('Solved.')
          : t('Solved at the first try.'))
          : said?.verdict === 'wrong' ? all(wrong(), t('Try again.'))
            : said?.verdict === 'right' ? all(t('Right.'), answers(), t('Go on.'))
              : task === 'five' ? t('{0} to play: make five.', sideWord(side))
                : task === 'defend' ? t('{0} to play: find a move that does not lose.', sideWord(side))
                  : t('{0} to play and win.', sideWord(side));
    return { words, verdict };
  }

  return {
    says,
    ask() {
      say('');
      $('practice-own').hidden = !seat().keeps;
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
    showTraining(message) {
      sets = message.sets;
      drawSets();
    },
    translate() {
      if (latest) this.show(latest);
      drawSets();
    },
    showState(state) {
      practice = state.practice;
      $('puzzle').hidden = !practice;
      if (!practice) return;
      const { stage, side, task } = practice;
      $('puzzle-about').textContent = about(practice);
      if (this.stage !== stage) relax($('puzzle-solution'));
      this.stage = stage;
      const winner = task === 'defend' ? (side === 'black' ? 'white' : 'black') : side;
      const line = practice.solution?.length ? practice.solution : null;
      if (line && !this.shown) preview(line, winner);
      this.shown = Boolean(line);
    },
    opened: () => dialog.close(),
    error: say,
  };
}
