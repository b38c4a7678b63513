// What this device keeps of a shift: its lists, the operations that the service has put in order, and
// the device's own operations that the service has not recorded yet.
//
// It is a list of records that only grows. An operation that `append` has returned is kept; it stays
// in `waiting` until the service has recorded or refused it, and a refused one stays in `refused`
// until the person dismisses it or has it sent again. Nothing else removes it. The records and their
// rules are those of the working copy of the command line.

/** Another tab has written since this one last read: read again, and repeat. */
export class Overtaken extends Error {}

/** The text of a refusal in the language of the page. Older versions kept it in one language. */
export const textIn = ({ reason, texts }, language) => texts?.[language] ?? reason;

/** This browser keeps nothing for the page, as in some private windows or by a setting. */
export class KeepsNothing extends Error {}

/** A newer version of the page wrote the records here, and has to read them. */
export class NewerVersion extends Error {}

/** Why the service gave no answer: it can't be reached, or the reply was lost. */
export class Unreachable extends Error {}

/** A refusal by the service, with its code. */
export class Refused extends Error {
  constructor(code, message, reason = "") {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** The kinds of records after the first one. */
const kinds = new Set(["ordered", "own", "refused", "dismissed", "ended", "rewound"]);

/** A change without halves of characters, and with no more combining marks in a row than the service
 *  accepts. Otherwise it would be refused as a whole, and hold up what comes after it. */
const cleaned = (change) => JSON.parse(JSON.stringify(change), (_, value) => (
  typeof value === "string"
    ? value.replace(/\p{Cs}/gu, "\ufffd").replace(/(\p{M}{30})\p{M}+/gu, "$1") : value));

export class WorkingCopy {
  #journal;
  #made = [];
  /** The ids of operations that the person has dismissed, or had sent again as others. After a
   *  restored backup the service may be able to record them, and must not. */
  #discarded = new Set();

  /** The operations that the service has put in order, by sequence. */
  operations = [];
  /** Operations of this device that have no answer yet, in the order of their numbers. Those that were
   *  discarded before a restored backup have no change, but use up their numbers. */
  waiting = [];
  /** Operations that were refused and not dismissed, oldest first, each with its reason, `textIn`,
   *  and with `mayResend` if it may be recorded another time. */
  refused = [];
  /** The number of the newest operation that this device has made in the shift. */
  deviceHead = 0;
  /** Changes when states that were folded before are no longer valid. */
  rewindings = 0;

  constructor(journal, first) {
    this.#journal = journal;
    this.device = first.device;
    this.snapshot = first.snapshot;
    this.shift = { ...first.snapshot.shift };
  }

  /**
   * Opens what is kept, or begins a new copy.
   *
   * @param journal keeps the records: `read(from)` and `append(from, records)`.
   * @param begin returns the first record of a new copy: the device and the snapshot. If it is
   *   absent and nothing is kept, the result is null.
   */
  static async open(journal, begin = null) {
    let records = await journal.read(0);
    // The first record isn't a snapshot: it was deleted while a page was open.
    if (kinds.has(records[0]?.kind)) {
      if (!begin) return null;
      const own = records.filter(({ kind }) => kind === "own");
      const first = { kind: "snapshot", ...(await begin()) };
      // The numbers of the operations that wait are those of the device that made them.
      if (own.length > 0) first.device = own[0].operation.device;
      await journal.rewrite((kept) => (kinds.has(kept[0]?.kind) ? [first, ...own] : null));
      records = await journal.read(0);
    }
    if (records.length === 0) {
      if (!begin) return null;
      records = [{ kind: "snapshot", ...(await begin()) }];
      try {
        // Losing it does no harm: the service has the snapshot, and this device's operations come
        // after it.
        await journal.append(0, records, false);
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        records = await journal.read(0);
      }
    }
    const copy = new WorkingCopy(journal, records[0]);
    copy.count = 1;
    copy.#applyAll(records.slice(1));
    return copy;
  }

  /** The newest sequence of the shift that this device has. */
  get head() {
    return this.operations.at(-1)?.sequence ?? 0;
  }

  /** All operations in their order of effect: the waiting ones as if they came next. */
  get everything() {
    return [...this.operations, ...this.waiting];
  }

  /** Reads what other tabs have written. */
  async catchUp() {
    const from = this.count;
    const records = await this.#journal.read(from);
    // Records that this tab has kept meanwhile may be among them, and are already applied.
    this.#applyAll(records.slice(this.count - from));
  }

  // What this device does

  /** Keeps an operation of this device. When this has returned, it is kept. */
  async append(change, { id, deviceTime }) {
    return this.#repeating(async () => {
      const operation = {
        id, shift: this.shift.id, device: this.device, deviceSequence: this.deviceHead + 1,
        deviceTime, seen: this.head, actor: "", actorName: "", sequence: 0, time: 0, late: false,
        change: cleaned(change),
      };
      await this.#keep([{ kind: "own", operation }]);
      return operation;
    });
  }

  /** Removes a refused operation that the person has dismissed. */
  async dismiss(id) {
    await this.#repeating(() => this.#keep([{ kind: "dismissed", id }]));
  }

  /** Has a refused operation sent once more, as a new one: the service has used up the number of the
   *  first and remembers its id. */
  async resend(id, newID) {
    await this.#repeating(async () => {
      const refused = this.refused.find(({ operation }) => operation.id === id);
      if (!refused) return;
      const operation = { ...refused.operation, id: newID, deviceSequence: this.deviceHead + 1 };
      await this.#keep([{ kind: "own", operation }, { kind: "dismissed", id }]);
    });
  }

  // What the service says

  /** Adds a page of operations in the service's order, except those that are already here. */
  async take(page) {
    await this.#repeating(async () => {
      const records = page.operations.filter((it) => it.sequence > this.head)
        .map((operation) => ({ kind: "ordered", operation }));
      if (page.ended !== 0 && this.shift.ended === 0) {
        records.push({ kind: "ended", time: page.ended });
      }
      await this.#keep(records);
    });
  }

  /** Applies the outcomes of operations that were sent. A recorded one goes on waiting until it has
   *  also come in the service's order, so that it is always shown. */
  async settle(outcomes) {
    await this.#repeating(async () => {
      const ids = new Set(this.waiting.map((operation) => operation.id));
      await this.#keep(
        outcomes.filter((outcome) => outcome.kind === "refused" && ids.has(outcome.id))
          .map(({ id, refusal, texts, mayResend }) => (
            { kind: "refused", id, reason: refusal, texts, mayResend })));
    });
  }

  /** Starts over because the service has an older history: a backup was restored. All operations
   *  that this device has made wait again, to be sent once more under the same ids. Those that were
   *  discarded have no change then. */
  async rewind() {
    await this.#repeating(() => this.#keep([{ kind: "rewound" }]));
  }

  async #repeating(act) {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        await this.catchUp();
      }
    }
  }

  async #keep(records) {
    if (records.length === 0) return;
    // Only this device's own records must last: the others can be fetched again.
    const isOwn = records.some(({ kind }) => kind !== "ordered" && kind !== "ended");
    await this.#journal.append(this.count, records, isOwn);
    this.#applyAll(records);
  }

  #applyAll(records) {
    // Apply none, so that a version that can read them gets all of them.
    const other = records.find(({ kind }) => !kinds.has(kind));
    if (other) throw new NewerVersion(`a record of the kind ${other.kind}`);
    for (const record of records) {
      this.count += 1;
      this.#apply(record);
    }
  }

  #apply(record) {
    switch (record.kind) {
      case "ordered": return this.#order(record.operation);
      case "own":
        this.deviceHead = Math.max(this.deviceHead, record.operation.deviceSequence);
        this.waiting.push(record.operation);
        this.#made.push(record.operation);
        return;
      case "refused": return this.#refuse(record);
      case "dismissed":
        this.#discarded.add(record.id);
        this.refused = this.refused.filter(({ operation }) => operation.id !== record.id);
        // Another tab may have learned of a restored backup first, so the operation may wait again.
        this.waiting = this.waiting.map(this.#wanted);
        return;
      case "ended":
        this.shift.ended = record.time;
        return;
      case "rewound":
        this.rewindings += 1;
        this.operations = [];
        this.waiting = this.#made.map(this.#wanted);
        // Refused operations are answered again, perhaps differently.
        this.refused = [];
        this.shift.ended = 0;
    }
  }

  /** An operation as the person wants it recorded: without its change if it was discarded. */
  #wanted = (operation) => (
    this.#discarded.has(operation.id) ? { ...operation, change: null } : operation);

  #order(operation) {
    if (operation.sequence <= this.head) return;
    this.operations.push(operation);
    this.waiting = this.waiting.filter(({ id }) => id !== operation.id);
    if (operation.device === this.device) {
      this.deviceHead = Math.max(this.deviceHead, operation.deviceSequence);
    }
  }

  #refuse({ id, reason, texts, mayResend = false }) {
    const operation = this.waiting.find((it) => it.id === id);
    if (!operation) return;
    this.waiting = this.waiting.filter((it) => it.id !== id);
    // After a rewind, a discarded operation is refused again, which the person already knows.
    if (this.#discarded.has(id)) return;
    this.refused.push({ operation, reason, texts, mayResend });
  }
}

/** True while a copy has something that the service doesn't have, or that the person hasn't been
 *  told about. */
export const isNeeded = ({ waiting, refused }) => waiting.length > 0 || refused.length > 0;

/** The most shifts that are noted as having been open at a site. */
const mostNoted = 20;

/** The notes of which shifts were open at a site, with another one at the end; null if it is there
 *  already. */
export const noted = (notes, shift) => (
  notes.at(-1)?.shift === shift ? null : [...notes, { shift }].slice(-mostNoted));

/** The database of the browser, which may close a connection at any time, as when a page is in the
 *  background: what comes next opens another one. */
export class BrowserBase {
  #opening = null;

  /** The connection; throws `KeepsNothing` when there is none. */
  open() {
    if (this.#opening) return this.#opening;
    const opening = new Promise((resolve, reject) => {
      const request = indexedDB.open("steward", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("records");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }).then((base) => {
      base.onclose = () => this.#leave(opening);
      return base;
    }, (error) => {
      this.#leave(opening);
      throw error.name === "QuotaExceededError" ? error : new KeepsNothing(error.message);
    });
    this.#opening = opening;
    return opening;
  }

  #leave(opening) {
    if (this.#opening === opening) this.#opening = null;
  }

  /** Closes the connection. */
  async close() {
    const opening = this.open();
    (await opening).close();
    this.#leave(opening);
  }

  /** Does something in a transaction, `act(transaction, records, resolve, reject)`, and returns what
   *  it resolves with. */
  async within(mode, act, durability = "default") {
    for (let isFirst = true; ; isFirst = false) {
      const opening = this.open();
      const base = await opening;
      let hasBegun = false;
      try {
        return await new Promise((resolve, reject) => {
          const transaction = base.transaction("records", mode, { durability });
          hasBegun = true;
          transaction.onabort = () => reject(transaction.error);
          act(transaction, transaction.objectStore("records"), resolve, reject);
        });
      } catch (error) {
        const isOver = !error || ["AbortError", "InvalidStateError", "UnknownError"].includes(error.name);
        if (isOver) this.#leave(opening);
        // A transaction that had begun may have kept its records.
        if (!isOver || hasBegun || !isFirst) {
          throw error ?? new DOMException("the transaction was aborted", "AbortError");
        }
      }
    }
  }
}

/** Resolves once a transaction is complete. */
const whole = (transaction, resolve) => { transaction.oncomplete = () => resolve(); };

/** Resolves with the result of a request. */
const answer = (request, resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
};

/** The photos of one copy in the browser's database, by the digits of their SHA-256. */
export class BrowserPhotos {
  #base;
  #name;

  /** They stand beside the records of a copy, whose numbers never equal the digits. */
  constructor(base, name) {
    this.#base = base;
    this.#name = name;
  }

  /** Keeps a photo. When this has returned, it is on disk. */
  keep({ photo, file }) {
    return this.#base.within("readwrite", (transaction, records, resolve) => {
      records.put(file, [this.#name, photo.checksum]);
      whole(transaction, resolve);
    }, "strict");
  }

  /** The file of a photo; null if it isn't here. */
  async read(checksum) {
    return await this.#base.within("readonly", (_, records, resolve, reject) =>
      answer(records.get([this.#name, checksum]), resolve, reject)) ?? null;
  }

  /** Deletes all of them. */
  remove() {
    return this.#base.within("readwrite", (transaction, records, resolve) => {
      records.delete(IDBKeyRange.bound([this.#name, ""], [this.#name, "g"]));
      whole(transaction, resolve);
    });
  }
}

/** The shift of a copy, by the name that its records are kept under; null if that isn't the name of a
 *  copy. */
export function shiftOf(name) {
  const parts = typeof name === "string" ? name.split("/") : [];
  return parts.length === 2 && parts[0] !== "open" ? parts[1] : null;
}

/** Keeps records in the browser, each transaction durable before it is reported as kept. */
export class BrowserJournal {
  #base;
  #name;

  constructor(base, name) {
    this.#base = base;
    this.#name = name;
  }

  /** The names that something is kept under. */
  static names(base) {
    return base.within("readonly", (_, records, resolve, reject) => {
      const names = [];
      const request = records.openKeyCursor();
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(names);
        const [name] = cursor.key;
        names.push(name);
        // A list sorts after all numbers and texts.
        return cursor.continue([name, []]);
      };
    });
  }

  /** The keys of the records from an index on. */
  #from(index) {
    return IDBKeyRange.bound([this.#name, index], [this.#name, Infinity]);
  }

  /** Deletes all records. */
  remove() {
    return this.#base.within("readwrite", (transaction, records, resolve) => {
      records.delete(this.#from(0));
      whole(transaction, resolve);
    });
  }

  /** Replaces all records with what a function makes of them; if it returns null, they stay. Nothing
   *  else is read or written in the meantime. It lasts once something that is kept later does. */
  rewrite(change) {
    return this.#base.within("readwrite", (transaction, records, resolve, reject) => {
      const request = records.getAll(this.#from(0));
      request.onsuccess = () => {
        const changed = change(request.result);
        if (!changed) return;
        try {
          records.delete(this.#from(0));
          changed.forEach((record, index) => records.add(record, [this.#name, index]));
        } catch (error) {
          reject(error);
          transaction.abort();
        }
      };
      whole(transaction, resolve);
    }, "relaxed");
  }

  /** The records of a copy from an index on. */
  read(from) {
    return this.#base.within("readonly", (_, records, resolve, reject) =>
      answer(records.getAll(this.#from(from)), resolve, reject));
  }

  /**
   * Adds records at an index: all of them or none, and none without the record before them, which
   * someone may have deleted.
   *
   * @param mustLast true to wait until not even a dead battery can lose them. Records are only ever
   *   lost from the end, so if one lasts, all those before it do.
   */
  append(from, records, mustLast = true) {
    return this.#base.within("readwrite", (transaction, store, resolve, reject) => {
      let fault = null;
      // A single record is added or it isn't, so nothing is left to wait for.
      const added = () => { if (records.length === 1) transaction.commit?.(); };
      const before = from > 0 ? store.getKey([this.#name, from - 1]) : null;
      if (before) {
        before.onsuccess = () => {
          if (before.result !== undefined) return added();
          fault = new DOMException("what was kept before is gone", "NotFoundError");
          return transaction.abort();
        };
      }
      records.forEach((record, index) => {
        // `add` fails where another tab has written.
        const request = store.add(record, [this.#name, from + index]);
        request.onerror = () => { fault ??= request.error; };
      });
      if (!before) added();
      const fail = () => {
        const error = fault ?? transaction.error;
        reject(error?.name === "ConstraintError" ? new Overtaken() : error);
      };
      transaction.oncomplete = () => (fault ? fail() : resolve());
      transaction.onabort = fail;
    }, mustLast ? "strict" : "relaxed");
  }
}
