// The player's rating: a number with its error, and a line over time.

import { element } from './board.js';
import { t } from './language.js';

const [WIDTH, HEIGHT] = [300, 64];
const $ = id => document.getElementById(id);

// Shows a rating, or nothing before the first game that counts. `levels` have the ratings of the levels.
export function showRating(rating, levels) {
  const { games, line } = rating ?? { games: 0, line: [] };
  $('rating').hidden = !games;
  if (!games) return;
  const [value, error] = line.at(-1);
  const off = levels.map(level => Math.abs(level.rating - value));
  const nearest = off.indexOf(Math.min(...off)) + 1;
  $('rating-value').textContent = [t('Your rating: {0} ± {1}.', value, error),
    t('That is about level {0}.', nearest)].join(' ');
  $('rating-about').textContent = t('{0} {0:game|games} against Kakugo’s levels, without undo, hints, analysis and coach. Elo above level 1; the band holds the rating with 95 %.', games);
  $('rating-line').replaceChildren();
  $('rating-line').setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  // The first game alone is a flat line.
  const points = line.length > 1 ? line : [line[0], line[0]];
  const low = Math.min(...points.map(([mean, half]) => mean - half));
  const high = Math.max(...points.map(([mean, half]) => mean + half));
  const x = i => (i * WIDTH / (points.length - 1)).toFixed(1);
  const y = rated => (HEIGHT - (rated - low) / Math.max(1, high - low) * HEIGHT).toFixed(1);
  const upper = points.map(([mean, half], i) => `${x(i)} ${y(mean + half)}`);
  const lower = points.map(([mean, half], i) => `${x(i)} ${y(mean - half)}`).reverse();
  element('path', { class: 'rating-band', d: `M${[...upper, ...lower].join('L')}z` }, $('rating-line'));
  const middle = points.map(([mean], i) => `${x(i)} ${y(mean)}`);
  element('path', { class: 'rating-mean', d: `M${middle.join('L')}` }, $('rating-line'));
  $('rating-line').setAttribute('aria-label', t('Your rating over time, from {0} to {1}', points[0][0], value));
}
