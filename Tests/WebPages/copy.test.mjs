// What a browser keeps, in a database whose connection may be closed at any time.
import assert from "node:assert/strict";
import test from "node:test";
import { Database } from "./database.mjs";
import { BrowserBase, BrowserJournal, BrowserPhotos, WorkingCopy } from "../../Services/web-service/Web/copy.js";

const begin = async () => ({ device: "phone", snapshot: { shift: { id: "shift", ended: 0 }, lists: [] } });
const add = (copy, id) => copy.append({ note: {} }, { id, deviceTime: 0 });

test("what is ticked after the browser has closed its database is kept", async () => {
  const database = globalThis.indexedDB = new Database();
  const base = new BrowserBase();
  const copy = await WorkingCopy.open(new BrowserJournal(base, "kari/shift"), begin);
  await add(copy, "a");
  // Without and with notice.
  database.connections[0].isClosed = true;
  await add(copy, "b");
  database.connections[1].isClosed = true;
  database.connections[1].onclose();
  await add(copy, "c");
  assert.equal(database.connections.length, 3);
  const again = await WorkingCopy.open(new BrowserJournal(new BrowserBase(), "kari/shift"));
  assert.deepEqual(again.waiting.map(({ id }) => id), ["a", "b", "c"]);
});

test("a tick at the moment in which the connection is lost is refused, and the next one is kept", async () => {
  const database = globalThis.indexedDB = new Database();
  const copy = await WorkingCopy.open(new BrowserJournal(new BrowserBase(), "kari/shift"), begin);
  database.connections[0].isLost = true;
  await assert.rejects(add(copy, "a"), { name: "UnknownError" });
  await add(copy, "b");
  assert.deepEqual(copy.waiting.map(({ id }) => id), ["b"]);
});

test("a tick after the site's data was deleted is refused, and the checklist opens again", async () => {
  const database = globalThis.indexedDB = new Database();
  const journal = new BrowserJournal(new BrowserBase(), "kari/shift");
  const copy = await WorkingCopy.open(journal, begin);
  await add(copy, "a");
  database.kept.clear();
  await assert.rejects(add(copy, "b"), { name: "NotFoundError" });
  assert.equal(database.kept.size, 0);
  const again = await WorkingCopy.open(journal, begin);
  await add(again, "c");
  assert.deepEqual((await WorkingCopy.open(journal)).waiting.map(({ id }) => id), ["c"]);
});

test("what a page has kept after the site's data was deleted is part of the next copy", async () => {
  const database = globalThis.indexedDB = new Database();
  const journal = new BrowserJournal(new BrowserBase(), "kari/shift");
  const copy = await WorkingCopy.open(journal, begin);
  for (const id of ["a", "b"]) await add(copy, id);
  for (const index of [0, 1]) database.kept.delete(`kari/shift,${index}`);
  assert.equal(await WorkingCopy.open(journal), null);
  const other = async () => ({ ...await begin(), device: "other" });
  const again = await WorkingCopy.open(journal, other);
  await add(again, "c");
  const { device, waiting } = await WorkingCopy.open(journal);
  assert.equal(device, "phone");
  assert.deepEqual(waiting.map(({ id, deviceSequence }) => [id, deviceSequence]), [["b", 2], ["c", 3]]);
});

test("photos are read and kept after the database was closed or could not be opened", async () => {
  const database = globalThis.indexedDB = new Database();
  database.isThere = false;
  const photos = new BrowserPhotos(new BrowserBase(), "kari/shift/photos");
  await assert.rejects(photos.read("9f"));
  database.isThere = true;
  await photos.keep({ photo: { checksum: "9f" }, file: "file" });
  database.connections[0].isClosed = true;
  assert.equal(await photos.read("9f"), "file");
  assert.equal(await photos.read("aa"), null);
});
