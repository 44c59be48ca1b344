// Saved games in IndexedDB. A game that a tab has on its board is locked for others.

const MOST = 300; // games that are listed
const PATIENCE = 2000; // ms to wait for a lock of this tab before it was loaded again

const promised = request => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error ?? new Error('the storage of the browser fails'));
});

const completed = transaction => new Promise((done, failed) => {
  transaction.oncomplete = () => done();
  transaction.onabort = () => failed(transaction.error ?? new DOMException('no space', 'QuotaExceededError'));
});

export class Games {
  #database = null;
  #held = new Map(); // what releases each lock
  #unsaved = { results: [], journal: [] }; // lines that could not be stored

  // Opens the database. Returns false if the browser stores nothing.
  async open() {
    try {
      const request = indexedDB.open('kakugo', 2);
      request.onupgradeneeded = () => {
        const database = request.result;
        const lacks = name => !database.objectStoreNames.contains(name);
        if (lacks('games')) database.createObjectStore('games', { keyPath: 'id' }).createIndex('changed', 'changed');
        for (const name of ['results', 'journal'].filter(lacks)) {
          database.createObjectStore(name, { autoIncrement: true });
        }
      };
      this.#database = await promised(request);
      this.#database.onversionchange = () => this.#database.close();
      return true;
    } catch {
      return false;
    }
  }

  #store(mode, name = 'games') {
    return this.#database.transaction(name, mode, { durability: 'relaxed' }).objectStore(name);
  }

  write(game) {
    const store = this.#store('readwrite');
    store.put({ ...game, changed: Date.now() });
    return completed(store.transaction);
  }

  read(id) {
    return promised(this.#store('readonly').get(id));
  }

  remove(id) {
    return promised(this.#store('readwrite').delete(id));
  }

  // The lines of `results`, games that count for the rating, or of `journal`, results of practice.
  async linesOf(name) {
    const lines = await promised(this.#store('readonly', name).getAll());
    return [...lines, ...this.#unsaved[name]].map(line => `${line}\n`).join('');
  }

  // Lines that cannot be stored are kept until the next one.
  async addLine(name, line) {
    const lines = [...this.#unsaved[name], line];
    this.#unsaved[name] = lines;
    const store = this.#store('readwrite', name);
    for (const each of lines) store.add(each);
    await completed(store.transaction);
    this.#unsaved[name] = [];
  }

  // The latest games, the one last changed first. Ends with the first one for which `wanted` is true.
  latest(count = MOST, wanted = () => false) {
    const games = [];
    return new Promise((done, failed) => {
      const request = this.#store('readonly').index('changed').openCursor(null, 'prev');
      request.onerror = () => failed(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || games.length >= count) { done(games); return; }
        games.push(cursor.value);
        if (wanted(cursor.value)) done(games);
        else cursor.continue();
      };
    });
  }

  // Locks and returns the latest game of a room, or the latest of all, if this tab may have it.
  async find(room) {
    const isOf = game => !room || (game.room === room.room && game.key === room.key);
    const latest = (await this.latest(MOST, isOf)).at(-1);
    if (!latest || !isOf(latest) || !await this.hold(latest.id, room ? PATIENCE : 0)) return null;
    const game = await this.read(latest.id).catch(() => null);
    if (!game) this.release(latest.id);
    return game ?? null;
  }

  // Reads a game, which is that of a room from now on: its page returns to it.
  async claim(id, { room, key }) {
    const game = await this.read(id);
    if (game) await this.write({ ...game, room, key });
    return game;
  }

  // Returns true if this tab has locked a game.
  holds(id) {
    return this.#held.has(id);
  }

  // Locks a game, and returns true if this tab has it.
  hold(id, patience = 0) {
    if (this.#held.has(id) || !navigator.locks) return Promise.resolve(true);
    return new Promise(done => {
      const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
      navigator.locks.request(`kakugo-game-${id}`, options, lock => {
        if (!lock) { done(false); return undefined; }
        return new Promise(release => {
          this.#held.set(id, release);
          done(true);
        });
      }).catch(() => done(false));
    });
  }

  release(id) {
    this.#held.get(id)?.();
    this.#held.delete(id);
  }
}
