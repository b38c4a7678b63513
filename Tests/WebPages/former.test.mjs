// Which copies of former shifts are deleted from a device: node --test Tests/WebPages
import assert from "node:assert/strict";
import test from "node:test";
import {
  Refused, Unreachable, WorkingCopy, noted,
} from "../../Services/web-service/Web/copy.js";
import { sweep } from "../../Services/web-service/Web/former.js";

const day = 86_400_000;
/** When the shift that is open began, by the service's clock. */
const now = 100 * day;
const open = { id: "open", started: now };

/** Records in memory. */
class Journal {
  constructor(records = []) { this.records = records; }
  async read(from) { return structuredClone(this.records.slice(from)); }
  async append(from, records) { this.records.push(...structuredClone(records)); }
}

/** The copies of a device, by name. */
class Shelf {
  journals = new Map();
  /** Those that a page shows. */
  shown = new Set();
  async add(account, shift, { ended = 0, waits = 0, refuses = 0 } = {}) {
    const name = `${account}/${shift}`;
    const journal = new Journal();
    this.journals.set(name, journal);
    const copy = await WorkingCopy.open(journal, async () => (
      { device: "phone", snapshot: { shift: { id: shift, ended: 0 }, lists: [] } }));
    for (let count = 0; count < waits + refuses; count += 1) {
      await copy.append({ note: {} }, { id: `${name}/${count}`, deviceTime: 0 });
    }
    await copy.settle(copy.waiting.slice(0, refuses).map(({ id }) => (
      { id, kind: "refused", refusal: "late" })));
    await copy.take({ operations: [], ended });
    return name;
  }
  async names() { return [...this.journals.keys(), "open/kari/harbour", "kari/one/photos"]; }
  copy(name) { return WorkingCopy.open(this.journals.get(name)); }
  async remove(name) { this.journals.delete(name); }
  async alone(name, act) { if (!this.shown.has(name)) await act(); }
  get left() { return [...this.journals.keys()].sort(); }
}

const unknown = async () => { throw new Unreachable("no network"); };
const nothing = async () => {};

test("a copy is deleted a week after the end of its shift, by the clock of the service", async () => {
  const shelf = new Shelf();
  await shelf.add("kari", "fresh", { ended: now - 7 * day + 1 });
  await shelf.add("kari", "old", { ended: now - 7 * day });
  await shelf.add("ola", "old", { ended: now - 7 * day });
  await shelf.add("kari", "open", { ended: now - 50 * day });
  const { now: clock } = Date;
  try {
    // The phone believes that it is a hundred years later.
    Date.now = () => 40_000 * day;
    await sweep(shelf, unknown, nothing, open);
  } finally {
    Date.now = clock;
  }
  assert.deepEqual(shelf.left, ["kari/fresh", "kari/open"]);
});

test("nothing that the service doesn't have, or that nobody has seen, is deleted", async () => {
  const shelf = new Shelf();
  await shelf.add("kari", "waits", { ended: now - 90 * day, waits: 1 });
  await shelf.add("kari", "refused", { ended: now - 90 * day, refuses: 1 });
  await shelf.add("ola", "waits", { ended: now - 90 * day, waits: 2 });
  const shown = await shelf.add("kari", "shown", { ended: now - 90 * day });
  shelf.shown.add(shown);
  const sent = [];
  await sweep(shelf, unknown, async (name) => { sent.push(name); }, open);
  assert.deepEqual(shelf.left, ["kari/refused", "kari/shown", "kari/waits", "ola/waits"]);
  assert.deepEqual(sent.sort(), ["kari/refused", "kari/waits", "ola/waits"]);
  // Once it was sent, the copy goes.
  await sweep(shelf, unknown, async (name, copy) => {
    if (name === "kari/waits") {
      await copy.take({ operations: copy.waiting.map((it) => ({ ...it, sequence: 1 })), ended: 0 });
    }
  }, open);
  assert.deepEqual(shelf.left, ["kari/refused", "kari/shown", "ola/waits"]);
});

test("only the last shifts of a site are noted, and none twice in a row", () => {
  let notes = [];
  for (let number = 0; number < 100; number += 1) {
    notes = noted(notes, `shift ${number}`);
    assert.equal(noted(notes, `shift ${number}`), null);
  }
  assert.deepEqual(
    notes.map(({ shift }) => shift), Array.from({ length: 20 }, (_, index) => `shift ${80 + index}`));
  assert.deepEqual(noted(notes.slice(-2), "shift 98").map(({ shift }) => shift),
    ["shift 98", "shift 99", "shift 98"]);
});

test("a shift of which no end is known is asked about, and kept while there is no answer", async () => {
  const shelf = new Shelf();
  const ends = { gone: now - 8 * day, going: 0, late: now - day };
  for (const shift of Object.keys(ends)) await shelf.add("kari", shift);
  await sweep(shelf, unknown, nothing, open);
  await sweep(shelf, async () => { throw new Refused("forbidden", "not yours"); }, nothing, open);
  assert.equal(shelf.left.length, 3);
  await sweep(shelf, async (shift) => ends[shift], nothing, open);
  assert.deepEqual(shelf.left, ["kari/going", "kari/late"]);
});

test("a phone with many copies asks a few questions at a time, and is done in the end", async () => {
  const shelf = new Shelf();
  for (let count = 0; count < 30; count += 1) await shelf.add("kari", `shift-${count}`);
  let asked = 0;
  for (let visit = 0; visit < 6; visit += 1) {
    asked = 0;
    await sweep(shelf, async () => {
      asked += 1;
      return now - 8 * day;
    }, nothing, open);
    assert.ok(asked <= 5);
  }
  assert.deepEqual(shelf.left, []);
});
