// HTML of parts that are loaded on first use.

import { translateNodes } from './language.js';

// Returns the element of a text with one element, translated.
export function elementOf(html) {
  const template = document.createElement('template');
  template.innerHTML = html.trim();
  const node = template.content.firstElementChild;
  translateNodes(node);
  return node;
}
