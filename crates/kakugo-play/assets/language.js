// The page's language: English, or a file of translations of the texts of page and server.

// Made by the build: the paths of the files of translations.
import { languages } from './languages.js';
import { recall, remember } from './storage.js';
import { relax } from './confirm.js';

const KEPT = 'kakugo-language';
const ENGLISH = { code: 'en', plurals: ['one', 'other'], texts: {} };
const choice = document.getElementById('language');
const codes = [...choice.options].map(option => option.value);
let spoken = ENGLISH;

// Translates an English text. `{0}` is the first part. `{0:move|moves}` is the form for that number, in
// the order of the language's `plurals`.
export function t(english, ...parts) {
  const own = spoken.texts[english];
  const { code, plurals } = own === undefined ? ENGLISH : spoken;
  return (own ?? english).replace(/\{(\d)(?::([^}]*))?\}/g, (_, at, forms) => {
    if (forms === undefined) return translated(parts[at]);
    const words = forms.split('|');
    const kind = plurals.indexOf(new Intl.PluralRules(code).select(parts[at]));
    return words[kind] ?? words.at(-1);
  });
}

// Translates a text of the server: an array of an English text and its parts, or a plain string.
export function translated(text) {
  return Array.isArray(text) ? t(...text) : String(text ?? '');
}

export const language = () => spoken.code;

// Texts of the HTML: nodes or attributes, and their English text.
const fixed = [];
function collect(nodes) {
  const from = fixed.length;
  for (const node of nodes) {
    for (const name of ['title', 'aria-label', 'placeholder']) {
      const attribute = node.getAttributeNode(name);
      if (attribute) fixed.push([node, attribute, attribute.value.replace(/\s+/g, ' ')]);
    }
    for (const part of node.childNodes) {
      const words = part.nodeType === Node.TEXT_NODE ? part.data.replace(/\s+/g, ' ') : '';
      if (/\p{L}/u.test(words)) fixed.push([part, part, words]);
    }
  }
  return fixed.slice(from);
}
const TRANSLATED = ':not([translate=no], [translate=no] *)';
collect(document.body.querySelectorAll(TRANSLATED));

function fill([, words, english]) {
  words.nodeValue = english.replace(/\S.*\S/, key => t(key));
}

// Translates an element that is added to the page, now and whenever the language changes.
export function translateNodes(node) {
  collect([node, ...node.querySelectorAll(TRANSLATED)]).forEach(fill);
}

async function speak(code) {
  let next = ENGLISH;
  if (code !== 'en') {
    const response = await fetch(languages[code]);
    if (!response.ok) throw new Error(response.status);
    next = { ...await response.json(), code };
  }
  spoken = next;
  choice.value = code;
  document.documentElement.lang = code;
  document.querySelectorAll('[data-words]').forEach(relax);
  fixed.filter(([node]) => node.isConnected).forEach(fill);
}

// A language with its script, which tells zh-HK (like zh-TW) from zh-SG (like zh-CN). Browsers also
// name languages that are none, such as en-US@posix.
function written(code) {
  try {
    const { language, script } = new Intl.Locale(code.split('@')[0]).maximize();
    return `${language}-${script}`;
  } catch {
    return code;
  }
}

// The first of the browser's languages that is available.
function wanted() {
  const kept = recall(KEPT, '');
  if (codes.includes(kept)) return kept;
  for (const wish of navigator.languages) {
    const code = codes.find(known => written(known) === written(wish));
    if (code) return code;
  }
  return 'en';
}

// `changed` is called after a language was chosen, `failed` if it cannot be loaded.
export function offerLanguages(changed, failed) {
  choice.addEventListener('change', async () => {
    const code = choice.value;
    try {
      await speak(code);
    } catch {
      choice.value = spoken.code;
      failed();
      return;
    }
    remember(KEPT, code);
    changed();
  });
}

// Nothing is shown before the language is loaded; if it cannot be loaded, the page is English.
await speak(wanted()).catch(() => speak('en'));
