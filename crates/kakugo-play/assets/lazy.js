// Parts of the page that are loaded on first use.

export class Lazy {
  // `load` returns a promise of the part. `failed` is called if it cannot be loaded; the next use tries
  // again.
  constructor(load, failed) {
    this.load = load;
    this.failed = failed;
    this.part = null;
  }

  // Calls `action` with the part as soon as it is loaded, in the order of the calls.
  async use(action) {
    try {
      this.loading ??= this.load();
      this.part = await this.loading;
    } catch {
      this.loading = null;
      this.failed();
      return;
    }
    action(this.part);
  }
}
