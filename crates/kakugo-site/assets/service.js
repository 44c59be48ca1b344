// The service worker: keeps the files of the site for visits without a network, and isolates the page,
// so that searches can be signalled. The build fills in the version and the files.

// Other copies of the site may have the same origin. An address has no spaces.
const PREFIX = `kakugo ${registration.scope} `;
const CACHE = `${PREFIX}__VERSION__`;
const FILES = __FILES__;
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

addEventListener('install', event => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    // Files that are named by their contents may come from the browser's cache.
    const request = path => new Request(path, path.includes('-') ? {} : { cache: 'no-cache' });
    await cache.addAll(FILES.map(request));
  })());
});

// A page asks to keep a file that it has loaded.
addEventListener('message', event => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    if (!await cache.match(event.data.keep)) await cache.add(event.data.keep);
  })());
});

addEventListener('activate', event => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    const old = names.filter(name => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map(name => caches.delete(name)));
  })());
});

const isolated = response => {
  if (response.type === 'opaqueredirect' || response.type === 'error') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATED)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

async function answer(request) {
  const cache = await caches.open(CACHE);
  const key = request.mode === 'navigate' ? './' : request;
  const known = await cache.match(key, { ignoreSearch: true });
  if (known) return isolated(known);
  const response = await fetch(request);
  // Networks and languages are kept once they have been needed.
  if (response.ok && response.status === 200) await cache.put(request, response.clone());
  return isolated(response);
}

// Other pages and files may have addresses below this one, also another copy of the site. All
// files of the site are in its folder itself; those kept later are named by their contents.
const NAMED = /^[\w-]+-[0-9a-f]{16}\.\w+$/;
function isOwn({ method, mode, url }) {
  if (method !== 'GET' || !url.startsWith(registration.scope)) return false;
  const [path] = url.slice(registration.scope.length).split(/[?#]/);
  if (mode === 'navigate') return path === '' || path === 'index.html';
  return NAMED.test(path) || FILES.includes(path);
}

addEventListener('fetch', event => {
  if (isOwn(event.request)) event.respondWith(answer(event.request));
});
