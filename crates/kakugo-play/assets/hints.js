// The words of a hint, step by step.

import { t, translated } from './language.js';
import { name } from './notation.js';

// Returns the words of the latest step; nothing if there is no hint.
export function hintWords({ hint, hints, height }, fromTop) {
  if (!hints) return '';
  const at = p => name(p, height, fromTop);
  const idea = hints.idea ? translated(hints.idea) : '';
  if (hint) return [idea, t('Kakugo would play {0}.', at(hint))].filter(Boolean).join(' ');
  if (idea) return `${idea} ${t('“Hint” again shows the move.')}`;
  return t('The move is between {0} and {1}. “Hint” again shows more.', at(hints.area[0]), at(hints.area[1]));
}
