// The database of a browser, in memory, as far as the pages use it.
globalThis.IDBKeyRange = { bound: (from, to) => ({ from, to }) };

/** A database as browsers have it, for keys of a name and a number or a text. */
export class Database {
  kept = new Map();
  connections = [];
  isThere = true;

  open() {
    const request = {};
    queueMicrotask(() => {
      if (!this.isThere) {
        request.error = new DOMException("none", "UnknownError");
        return request.onerror();
      }
      request.result = new Connection(this);
      this.connections.push(request.result);
      return request.onsuccess();
    });
    return request;
  }
}

class Connection {
  constructor(database) { this.database = database; }

  transaction() {
    if (this.isClosed) throw new DOMException("the connection is closed", "InvalidStateError");
    const { kept } = this.database;
    const before = new Map(kept);
    const transaction = {
      error: null, commit() {},
      abort() {
        kept.clear();
        for (const [key, value] of before) kept.set(key, value);
        transaction.oncomplete = transaction.onabort;
      },
    };
    // A connection that was lost shows it only when it is used.
    if (this.isLost) {
      transaction.error = new DOMException("lost", "UnknownError");
      setImmediate(() => transaction.onabort());
    } else setImmediate(() => transaction.oncomplete?.());
    const request = (result) => {
      const made = { result };
      if (!this.isLost) queueMicrotask(() => made.onsuccess?.());
      return made;
    };
    transaction.objectStore = () => ({
      add: (value, key) => request(!this.isLost && kept.set(key.join(), structuredClone(value))),
      put: (value, key) => request(!this.isLost && kept.set(key.join(), value)),
      getKey: (key) => request(kept.has(key.join()) ? key : undefined),
      delete: ({ from: [name, first] }) => request([...kept.keys()].filter((key) =>
        key.startsWith(`${name},`) && Number(key.split(",")[1]) >= first)
        .forEach((key) => kept.delete(key))),
      get: (key) => request(kept.get(key.join())),
      getAll: ({ from: [name, first] }) => request([...kept].filter(([key]) =>
        key.startsWith(`${name},`) && Number(key.split(",")[1]) >= first).map(([, value]) => value)),
    });
    return transaction;
  }
}
