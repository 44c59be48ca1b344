// The words of a hint, step by step.

import { t, translated } from './language.js';
import { name } from './notation.js';

// Returns the words of the latest step; nothing if there is no hint.
export function hintWords({ hint, hints, height }, fromTop) {
  if (!hints) return '';
  const at = p => name(p, height, fromTop);
  if (hint) return t('Kakugo would play {0}.', at(hint));
  if (hints.idea) return translated(hints.idea);
  const [[left, top], [right, bottom]] = hints.area;
  return t('The move is between {0} and {1}.', at([left, bottom]), at([right, top]));
}
