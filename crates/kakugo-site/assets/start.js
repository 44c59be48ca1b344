// The first script: starts the page if the browser has what it needs, and says what it lacks if not. Every
// browser must be able to read it, so it uses nothing newer than ECMAScript 5. The build fills in the app and
// the texts.

(function () {
  'use strict';
  var APP = '__APP__';
  var TEXTS = __TEXTS__; // by language
  // What the site needs of a browser, and how it is found.
  var NEEDED = {
    'ECMAScript 2022': function () {
      return 'noModule' in document.createElement('script') && typeof [].at === 'function';
    },
    WebAssembly: function () { return typeof WebAssembly === 'object'; },
    // A module with one SIMD instruction.
    SIMD: function () {
      return WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123,
        3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));
    },
    DecompressionStream: function () { return typeof DecompressionStream === 'function'; },
    'AbortSignal.timeout': function () { return typeof AbortSignal.timeout === 'function'; },
    IndexedDB: function () { return 'indexedDB' in window; }
  };

  // The language that was chosen, or else the first of the browser's languages that is available.
  function language() {
    var wishes = (navigator.languages || [navigator.language]).slice();
    try { wishes.unshift(JSON.parse(localStorage.getItem('kakugo-language'))); } catch (_) { /* none */ }
    for (var i = 0; i < wishes.length; i += 1) {
      var wish = String(wishes[i]);
      if (TEXTS[wish]) return wish;
      if (/^zh/.test(wish)) return /Hant|TW|HK|MO/.test(wish) ? 'zh-TW' : 'zh-CN';
      if (wish.slice(0, 2) === 'en') return 'en';
      if (TEXTS[wish.slice(0, 2)]) return wish.slice(0, 2);
    }
    return 'en';
  }

  var t = function (english, part) {
    var texts = TEXTS[language()];
    return (texts && texts[english] || english).replace('{0}', part);
  };

  // Shows a text in place of the page.
  function show(text) {
    if (document.readyState === 'loading') {
      document.addEventListener('DOMContentLoaded', function () { show(text); });
      return;
    }
    document.getElementById('status').textContent = text;
    document.body.removeAttribute('data-loading');
    document.body.setAttribute('data-gone', 'yes');
  }

  function lacks(what) {
    show(t('This browser is too old for Kakugo: it has no {0}.', what));
  }

  function failed(why) {
    show(t('Kakugo has failed: {0}. The game is saved; load the page again.', why));
  }

  for (var name in NEEDED) {
    var found = false;
    try { found = NEEDED[name](); } catch (_) { /* it is not there */ }
    if (!found) { lacks(name); return; }
  }
  // An error before the page is there would leave it blank.
  addEventListener('error', function (event) {
    if (!document.body || !document.body.hasAttribute('data-loading')) return;
    if (event.error instanceof SyntaxError) lacks('ECMAScript 2022');
    else failed(event.message);
  });
  // A script that is added runs once it is loaded; the page is complete, because this one is deferred.
  var script = document.createElement('script');
  script.type = 'module';
  script.src = APP;
  script.onerror = function () { failed(t('a file of the site cannot be loaded')); };
  document.head.appendChild(script);
}());
