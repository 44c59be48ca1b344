// More of the analysis: moves that are excluded or searched alone, limits, moves that make a position even.

import { html } from './deeper.html';
import { elementOf } from './fragment.js';
import { t } from './language.js';
import { names } from './notation.js';
import { recall, remember } from './storage.js';

const $ = id => document.getElementById(id);
const LIMITS = 'kakugo-limits';

// `analysis` is the part of the page that shows results.
export function deeperAnalysis(board, send, analysis) {
  $('analysis-more').append(elementOf(html));
  let state = null;
  let treatment = null; // what a click does: 'only' or 'without'

  const has = (points, p) => points.some(q => q.join() === p.join());
  function treat(p) {
    const [x, y] = p;
    send({
      do: 'treat', x, y, rows: $('rows-from').value,
      treatment: has(state.live[treatment], p) ? 'usual' : treatment,
    });
    // A point that is forbidden or not free is refused.
    const isForbidden = treatment === 'only' && state.turn === 'black'
      && state.forbidden.some(([a, b]) => a === x && b === y);
    if (state.analyse === null && !isForbidden && !state.occupied.has(p.join())) analysis.start();
  }
  const tool = {
    chosen: treat,
    ended() { treatment = null; showTool(); },
  };
  function choose(kind) {
    const on = treatment !== kind;
    board.use(null);
    if (on) {
      treatment = kind;
      board.use(tool);
      board.svg.scrollIntoView({ block: 'nearest' });
    }
    showTool();
  }
  function showTool() {
    for (const kind of ['without', 'only']) $(`choose-${kind}`).setAttribute('aria-pressed', treatment === kind);
    if (state) sayChosen();
  }

  function sayChosen() {
    const { only, without } = state.live;
    const list = points => names(points, state.height, board.options.fromTop);
    const words = [only.length ? t('Only {0}.', list(only)) : '',
      without.length ? t('Without {0}.', list(without)) : ''].filter(Boolean);
    $('chosen-says').textContent = words.join(' ') || (treatment === 'without' ? t('Click the moves to exclude.')
      : treatment === 'only' ? t('Click the only moves to analyse.') : t('All moves are analysed.'));
    $('choose-all').disabled = !words.length || !state.analyses;
  }

  $('choose-without').addEventListener('click', () => choose('without'));
  $('choose-only').addEventListener('click', () => choose('only'));
  $('choose-all').addEventListener('click', () => { board.use(null); send({ do: 'search_all' }); });
  for (const id of ['depth', 'analysis-time']) {
    $(id).addEventListener('change', () => {
      remember(LIMITS, { depth: $('depth').value, 'analysis-time': $('analysis-time').value });
      analysis.ask();
    });
  }
  for (const stones of [1, 2]) {
    $(`balance-${stones}`).addEventListener('click', () => {
      const on = state.thinking !== 'balance' || searched !== stones;
      searched = on ? stones : 0;
      send({ do: 'balance', stones: searched });
    });
  }
  let searched = 0; // the number of stones that are searched for
  let shown = ''; // the balance that was shown on the board

  function showBalance() {
    const { live: { balance }, thinking, queued } = state;
    const searching = thinking === 'balance';
    if (!searching) searched = 0;
    for (const [stones, words] of [[1, t('Balanced move')], [2, t('Balanced pair')]]) {
      const button = $(`balance-${stones}`);
      button.textContent = searching && searched === stones ? t('Stop') : words;
      button.disabled = !state.analyses || Boolean(state.end) || Boolean(state.practice);
    }
    const percent = balance && (balance.permille / 10).toFixed(1);
    $('balance-says').textContent = searching ? queued ? t('waiting for a search thread …') : t('Searching …')
      : balance ? t('{0} (Black {1} %)', names(balance.moves, state.height, board.options.fromTop), percent) : '';
    const found = JSON.stringify([state.version, balance]);
    if (balance && found !== shown) analysis.open(balance.moves, state.turn);
    shown = found;
  }

  const kept = recall(LIMITS, {});
  for (const id of ['depth', 'analysis-time']) if (id in kept) $(id).value = kept[id];

  return {
    stop() { if (board.tool === tool) board.use(null); },
    showState(next) {
      state = next;
      const set = (id, value) => {
        const text = String(value ?? '');
        if ([...$(id).options].some(option => option.value === text)) $(id).value = text;
      };
      if (state.analyse !== null) {
        set('depth', state.live.depth);
        set('analysis-time', state.live.time);
      }
      for (const id of ['choose-without', 'choose-only']) $(id).disabled = !state.analyses || Boolean(state.end);
      if (board.tool === tool && (!state.analyses || state.end || state.past)) board.use(null);
      sayChosen();
      showBalance();
    },
    translate() { if (state) { sayChosen(); showBalance(); } },
  };
}
