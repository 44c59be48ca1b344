// Engines other than Kakugo: adding one, and asking one for a second opinion.

import { t, translated } from './language.js';
import { name } from './notation.js';
import { recall, remember } from './storage.js';
import { post } from './transport.js';

const COMMAND = 'kakugo-engine';
const $ = id => document.getElementById(id);

// `send` sends a command; `seat` returns room and key.
export function otherEngines(send, seat) {
  $('engine-command').value = recall(COMMAND, '');
  const say = (text, isGood = false) => {
    $('setup-error').textContent = text;
    $('setup-error').classList.toggle('told', isGood);
  };
  async function add() {
    const command = $('engine-command').value.trim();
    if (!command) return;
    $('engine-add').disabled = true;
    say(t('Starting the engine …'), true);
    try {
      await post('./engine', seat(), command);
      remember(COMMAND, command);
      $('add-engine').hidden = true;
      say(t('The engine was added.'), true);
    } catch (error) {
      say(error.message);
    }
    $('engine-add').disabled = false;
  }
  $('engine-add').addEventListener('click', add);
  $('engine-command').addEventListener('keydown', event => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  });
  $('opinion-ask').addEventListener('click', () =>
    send({ do: 'opinion', engine: Number($('opinion-engine').value) }));

  const words = ({ engine, point, error }, { height }, fromTop) =>
    (point ? t('{0} would play {1}.', engine, name(point, height, fromTop))
      : error === null ? t('{0} is thinking …', engine) : t('{0} failed: {1}', engine, translated(error)));
  return {
    // Shows or hides the field for a command.
    toggle() {
      $('add-engine').hidden = !$('add-engine').hidden;
      if (!$('add-engine').hidden) $('engine-command').focus();
    },
    show(state, engines, fromTop) {
      const select = $('opinion-engine');
      if (select.length !== engines.length) {
        select.replaceChildren(...engines.map((engine, i) => new Option(engine, i)));
        select.value = String(engines.length - 1);
      }
      $('opinion').hidden = !engines.length;
      const kind = state.players.find(player => player.seat === state.seat).kind;
      $('opinion-ask').disabled = !state.analyses || Boolean(state.end || state.practice || state.choices.length)
        || kind !== 'human' && !state.paused;
      $('opinion-says').textContent = state.opinion ? words(state.opinion, state, fromTop) : '';
    },
  };
}
