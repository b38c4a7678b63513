// The database of a browser, in memory, as far as the pages use it.
globalThis.IDBKeyRange = { bound: (from, to) => ({ from, to }) };

/** Whether a key is in a range of numbers or texts of one name. */
const isIn = ({ from: [name, first], to: [, last] }) => (key) => {
  const [own, text] = key.split(",");
  const part = typeof first === "number" ? Number(text) : text;
  return own === name && part >= first && part <= last;
};

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
      delete: (range) => request(
        [...kept.keys()].filter(isIn(range)).forEach((key) => kept.delete(key))),
      get: (key) => request(kept.get(key.join())),
      getAll: (range) => request(
        [...kept].filter(([key]) => isIn(range)(key)).map(([, value]) => value)),
    });
    return transaction;
  }
}
