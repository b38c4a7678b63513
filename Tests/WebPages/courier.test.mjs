// The working copy and the courier of a browser. Replies are lost and tabs are killed at any point;
// nothing is lost or done twice.
import assert from "node:assert/strict";
import test from "node:test";
import { photosOf } from "../../Services/web-service/Web/answers.js";
import {
  Overtaken, Refused, Unreachable, WorkingCopy, textIn,
} from "../../Services/web-service/Web/copy.js";
import { Courier } from "../../Services/web-service/Web/courier.js";
import { generator } from "./random.mjs";

/** Records that survive the tab. */
class Journal {
  records = [];
  async read(from) { return structuredClone(this.records.slice(from)); }
  async append(from, records) {
    if (from < this.records.length) throw new Overtaken();
    this.records.push(...structuredClone(records));
  }
}

/** Photos that survive the tab. */
class Shelf {
  files = new Map();
  async keep({ photo, file }) { this.files.set(photo.checksum, file); }
  async read(checksum) { return this.files.get(checksum) ?? null; }
}

const marked = (...checksums) => ({ mark: {
  answer: { value: { photos: { photos: checksums.map((checksum) => ({ checksum })) } } } } });

/** The rules of checklist-service for what devices send. */
class Service {
  log = [];
  devices = new Map();
  refuses = new Set();
  photos = new Map();
  /** A field that an older version can't read; messages with it are refused as a whole. */
  unknown = null;
  /** Photos that it refuses. */
  bad = new Set();
  photo({ checksum, file }) {
    if (this.bad.has(checksum)) throw new Refused("invalid", "not prepared");
    this.photos.set(checksum, file);
    return { checksum };
  }
  record(message) {
    const { operations, lostPhotos } = message;
    if (this.unknown && JSON.stringify(message).includes(this.unknown)) {
      throw new Refused("invalid", "can't be read");
    }
    const lacks = (it, lost) => photosOf({ change: {}, ...it }).some(({ checksum }) =>
      !this.photos.has(checksum) && lostPhotos.includes(checksum) === lost);
    const knows = ({ id }) => this.log.some((it) => it.id === id);
    if (operations.some((it) => !knows(it) && lacks(it, false))) {
      throw new Refused("conflict", "it has to be sent first", "photo.missing");
    }
    return {
      outcomes: operations.map((operation) => {
        const { id, device, deviceSequence } = operation;
        if (this.log.some((it) => it.id === id)) return { id, kind: "takenIn" };
        if (this.refuses.has(id) || lacks(operation, true)) {
          this.devices.set(device, Math.max(this.devices.get(device) ?? 0, deviceSequence));
          return { id, kind: "refused", refusal: "not that", refusalReason: "" };
        }
        if (deviceSequence !== (this.devices.get(device) ?? 0) + 1) {
          return { id, kind: "refused", refusal: "a gap", refusalReason: "shift.gap" };
        }
        this.devices.set(device, deviceSequence);
        if (!operation.change) {
          this.refuses.add(id);
          return { id, kind: "refused", refusal: "says nothing", refusalReason: "operation.unknown" };
        }
        this.log.push({ ...operation, sequence: this.log.length + 1, time: 1 });
        return { id, kind: "takenIn" };
      }),
    };
  }
  read({ after }) {
    if (after > this.log.length) throw new Refused("conflict", "another history");
    return { operations: this.log.slice(after, after + 7), head: this.log.length, ended: 0 };
  }
}

/** How many histories are played: HISTORIES=10000 for a long run. */
const histories = Number(process.env.HISTORIES ?? 2000);

let ids = 0;
const newID = () => String((ids += 1)).padStart(32, "0");
const snapshot = { shift: { id: "shift", ended: 0 }, lists: [] };
const open = (journal, device) =>
  WorkingCopy.open(journal, async () => ({ device, snapshot }));

async function history(seed) {
  const pick = generator(seed);
  const service = new Service();
  const devices = ["phone", "tablet"].map((name) => (
    { name, journal: new Journal(), shelf: new Shelf() }));
  const made = [];
  let isCalm = false;
  const ask = async (kind, body) => {
    if (!isCalm && pick(4) === 0) throw new Unreachable("lost on the way there");
    const answer = structuredClone(service[kind](structuredClone(body)));
    if (!isCalm && pick(4) === 0) throw new Unreachable("lost on the way back");
    return answer;
  };
  const connect = async (device) => {
    device.copy = await open(device.journal, device.name);
    device.courier = new Courier(device.copy, ask, undefined, device.shelf);
  };
  for (const device of devices) await connect(device);
  for (let step = 0; step < 60; step += 1) {
    const device = devices[pick(2)];
    switch (pick(5)) {
      case 0: case 1: {
        const taken = Array.from({ length: pick(3) }, () => newID());
        for (const checksum of taken) await device.shelf.keep({ photo: { checksum }, file: checksum });
        // Killed between keeping the photo and the operation that names it.
        if (pick(10) === 0) { await connect(device); break; }
        const change = taken.length > 0 ? marked(...taken) : { note: {} };
        const operation = await device.copy.append(change, { id: newID(), deviceTime: step });
        made.push(operation.id);
        if (pick(8) === 0) service.refuses.add(operation.id);
        break;
      }
      case 2: case 3:
        await device.courier.turn().catch((error) => assert.ok(error instanceof Unreachable));
        break;
      default: await connect(device);
    }
  }
  isCalm = true;
  for (const device of devices) { await connect(device); await device.courier.run(); }
  for (const device of devices) await device.courier.run();
  return { service, devices, made };
}

test("with lost replies and killed tabs nothing is lost or done twice", async () => {
  for (let seed = 0; seed < histories; seed += 1) {
    const { service, devices, made } = await history(seed);
    const wanted = made.filter((id) => !service.refuses.has(id)).sort();
    assert.deepEqual(service.log.map(({ id }) => id).sort(), wanted, `seed ${seed}`);
    const refused = devices.flatMap(({ copy }) => copy.refused.map(({ operation }) => operation.id));
    for (const { checksum } of service.log.flatMap(photosOf)) {
      assert.equal(service.photos.get(checksum), checksum, `seed ${seed}`);
    }
    assert.deepEqual(refused.sort(), made.filter((id) => service.refuses.has(id)).sort());
    for (const { copy } of devices) {
      assert.equal(copy.waiting.length, 0);
      assert.deepEqual(copy.operations.map(({ id }) => id), service.log.map(({ id }) => id));
    }
  }
});

test("after a backup is restored, a device sends again what the service has lost", async () => {
  const service = new Service();
  const journal = new Journal();
  const copy = await open(journal, "phone");
  const courier = new Courier(copy, async (kind, body) => structuredClone(service[kind](body)));
  for (let number = 0; number < 5; number += 1) {
    await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  }
  await courier.run();
  const all = service.log.map(({ id }) => id);
  service.log.splice(2);
  service.devices.set("phone", 2);
  await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  await courier.run();
  assert.deepEqual(service.log.slice(0, 5).map(({ id }) => id), all);
  assert.equal(service.log.length, 6);
  assert.equal(copy.waiting.length, 0);
});

test("what a device sends says what its clock shows", async () => {
  const service = new Service();
  const copy = await open(new Journal(), "phone");
  await copy.append({ note: {} }, { id: newID(), deviceTime: Date.now() });
  const sent = [];
  const before = Date.now();
  await new Courier(copy, async (kind, body) => {
    if (kind === "record") sent.push(body.sentAt);
    return service[kind](body);
  }).run();
  assert.equal(sent.length, 1);
  assert.ok(before <= sent[0] && sent[0] <= Date.now());
});

test("two tabs write to the same copy, and neither loses what the other has kept", async () => {
  const journal = new Journal();
  const [one, two] = [await open(journal, "phone"), await open(journal, "phone")];
  const kept = [];
  for (const copy of [one, two, two, one]) {
    kept.push(await copy.append({ note: {} }, { id: newID(), deviceTime: 0 }));
  }
  assert.deepEqual(kept.map(({ deviceSequence }) => deviceSequence), [1, 2, 3, 4]);
  await two.catchUp();
  assert.deepEqual(two.waiting.map(({ id }) => id), kept.map(({ id }) => id));
});

test("a refused operation stays until it is dismissed", async () => {
  const service = new Service();
  const journal = new Journal();
  const copy = await open(journal, "phone");
  const operation = await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  service.refuses.add(operation.id);
  await new Courier(copy, async (kind, body) => service[kind](body)).run();
  assert.deepEqual(copy.refused.map(({ reason }) => reason), ["not that"]);
  assert.equal((await open(journal, "phone")).refused.length, 1);
  await copy.dismiss(operation.id);
  assert.equal((await open(journal, "phone")).refused.length, 0);
});

test("a refusal is in the language of the page, or as an earlier version kept it", async () => {
  const journal = new Journal();
  const copy = await open(journal, "phone");
  const newer = await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  const older = await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  const texts = { en: "Not that.", nb: "Ikke det.", sv: "Inte det." };
  await copy.settle([{ id: newer.id, kind: "refused", refusal: "Not that.", texts }]);
  await journal.append(copy.count, [{ kind: "refused", id: older.id, reason: "not that" }]);
  const { refused } = await open(journal, "phone");
  assert.deepEqual(refused.map((it) => textIn(it, "nb")), ["Ikke det.", "not that"]);
  assert.deepEqual(refused.map((it) => textIn(it, "sv")), ["Inte det.", "not that"]);
});

test("an operation goes as soon as its own photos have arrived, and no photo goes twice", async () => {
  const [service, shelf, said] = [new Service(), new Shelf(), []];
  const copy = await open(new Journal(), "phone");
  for (const checksum of ["a", "b", "c"]) await shelf.keep({ photo: { checksum }, file: checksum });
  const add = (change) => copy.append(change, { id: newID(), deviceTime: 0 });
  await add({ note: {} });
  await add(marked("a", "b"));
  await add({ note: {} });
  await add(marked("b", "c"));
  let isThere = true;
  const ask = async (kind, body) => {
    said.push(kind === "photo" ? body.checksum : kind === "record" ? body.operations.length : kind);
    const answer = structuredClone(service[kind](body));
    // The connection breaks after each photo.
    if (kind === "photo" && isThere) { isThere = false; throw new Unreachable("lost on the way back"); }
    return answer;
  };
  const courier = new Courier(copy, ask, undefined, shelf);
  await assert.rejects(courier.run(), Unreachable);
  await courier.run();
  assert.deepEqual(said.filter((it) => it !== "read"), [1, "a", "a", "b", 2, "c", 1]);
  assert.equal(copy.waiting.length, 0);
});

test("a photo that is lost or refused holds up nothing but its own operation", async () => {
  const [service, shelf] = [new Service(), new Shelf()];
  const copy = await open(new Journal(), "phone");
  await shelf.keep({ photo: { checksum: "bad" }, file: "bad" });
  service.bad.add("bad");
  const made = [];
  for (const change of [marked("lost"), marked("bad"), { note: {} }]) {
    made.push(await copy.append(change, { id: newID(), deviceTime: 0 }));
  }
  await new Courier(copy, async (kind, body) => service[kind](body), undefined, shelf).run();
  assert.deepEqual(service.log.map(({ id }) => id), [made[2].id]);
  assert.deepEqual(copy.refused.map(({ operation }) => operation.id), [made[0].id, made[1].id]);
});

test("what is refused because a clock is wrong is sent as it is once the clock is right", async () => {
  for (const reason of ["id.version", "id.old", "id.ahead", "answer.deleted"]) {
    for (const refused of ["photo", "record"]) {
      const [service, shelf] = [new Service(), new Shelf()];
      const copy = await open(new Journal(), "phone");
      await shelf.keep({ photo: { checksum: "a" }, file: "a" });
      await copy.append(marked("a"), { id: newID(), deviceTime: 0 });
      let isWrong = true;
      const ask = async (kind, body) => {
        if (kind === refused && isWrong) {
          // It is set right just then.
          isWrong = false;
          throw new Refused("invalid", "the clock is wrong", reason);
        }
        return structuredClone(service[kind](structuredClone(body)));
      };
      const courier = new Courier(copy, ask, undefined, shelf);
      await assert.rejects(courier.run(), Refused);
      await courier.run();
      assert.deepEqual(service.log.map((it) => it.change), [marked("a")], `${reason} of ${refused}`);
      assert.equal(service.photos.get("a"), "a");
      assert.equal(copy.refused.length, 0);
    }
  }
});

test("what an older server can't read holds up nothing else, and is sent again to a newer one", async () => {
  const [service, journal, shelf] = [new Service(), new Journal(), new Shelf()];
  await shelf.keep({ photo: { checksum: "a" }, file: "a" });
  let copy = await open(journal, "phone");
  const made = [];
  for (let number = 0; number < 40; number += 1) {
    const change = [3, 4, 22].includes(number) ? { ...marked("a"), newer: {} } : { note: {} };
    made.push(await copy.append(change, { id: newID(), deviceTime: number }));
  }
  service.unknown = "newer";
  let messages = 0;
  const ask = async (kind, body) => {
    messages += 1;
    return structuredClone(service[kind](structuredClone(body)));
  };
  await new Courier(copy, ask, undefined, shelf).run();
  const bad = [made[3], made[4], made[22]].map(({ id }) => id);
  assert.deepEqual(
    service.log.map(({ id }) => id), made.map(({ id }) => id).filter((id) => !bad.includes(id)));
  assert.equal(copy.waiting.length, 0);
  assert.ok(messages < 60, `${messages}`);
  // They are kept as they were made, and the person is told.
  copy = await open(journal, "phone");
  assert.deepEqual(copy.refused.map(({ operation }) => operation), [made[3], made[4], made[22]]);
  assert.ok(copy.refused.every(({ reason, mayResend }) => reason === "can't be read" && mayResend));
  service.unknown = null;
  for (const id of bad) await copy.resend(id, newID());
  await new Courier(copy, ask, undefined, shelf).run();
  assert.equal(copy.refused.length, 0);
  assert.deepEqual(service.log.slice(-3).map(({ change, deviceTime }) => [change, deviceTime]),
    [3, 4, 22].map((number) => [made[number].change, number]));
  copy = await open(journal, "phone");
  assert.equal(copy.refused.length, 0);
  // A backup from before all of that is restored at the newer server, which could read the first.
  service.log.splice(0);
  service.devices.clear();
  service.refuses.clear();
  await new Courier(copy, ask, undefined, shelf).run();
  assert.equal(service.log.length, 40);
  assert.ok(service.log.every(({ id }) => !bad.includes(id)));
  assert.equal(copy.refused.length, 0);
});

test("a refused operation that is recorded after a restore can't be sent again", async () => {
  const [service, journal] = [new Service(), new Journal()];
  let copy = await open(journal, "phone");
  const ask = async (kind, body) => structuredClone(service[kind](structuredClone(body)));
  const made = [];
  for (const change of [{ note: {} }, { newer: {} }, { note: {} }]) {
    made.push((await copy.append(change, { id: newID(), deviceTime: 0 })).id);
  }
  service.unknown = "newer";
  await new Courier(copy, ask).run();
  assert.deepEqual(copy.refused.map(({ operation }) => operation.id), [made[1]]);
  service.unknown = null;
  service.log.splice(0);
  service.devices.clear();
  service.refuses.clear();
  await new Courier(copy, ask).run();
  await copy.resend(made[1], newID());
  await new Courier(copy, ask).run();
  assert.deepEqual(service.log.map(({ id }) => id), made);
  copy = await open(journal, "phone");
  assert.equal(copy.refused.length, 0);
});

test("after a restore, what was dismissed or sent again as another only uses its number", async () => {
  const [service, journal] = [new Service(), new Journal()];
  const ask = async (kind, body) => structuredClone(service[kind](structuredClone(body)));
  const copy = await open(journal, "phone");
  const made = [];
  for (const change of [marked("lost"), { newer: {} }, { newer: {} }, { note: {} }]) {
    made.push(await copy.append(change, { id: newID(), deviceTime: 1 }));
  }
  service.unknown = "newer";
  await new Courier(copy, ask).run();
  const again = newID();
  await copy.dismiss(made[0].id);
  await copy.resend(made[1].id, again);
  // A copy in another tab, which learns of the restored backup first.
  const other = await open(journal, "phone");
  await other.rewind();
  await copy.dismiss(made[2].id);
  // Both copies, and one that is opened later, show and send the same.
  await other.catchUp();
  for (const it of [copy, other, await open(journal, "phone")]) {
    assert.deepEqual(
      it.waiting.map(({ id, change }) => [id, change]),
      [...made.slice(0, 3).map(({ id }) => [id, null]), [made[3].id, { note: {} }],
        [again, { newer: {} }]]);
    assert.ok(it.waiting.every(({ deviceTime }) => deviceTime === 1));
  }
  // The newer server could record all of them.
  Object.assign(service, { log: [], devices: new Map(), refuses: new Set(), unknown: null });
  service.photos.set("lost", "lost");
  await new Courier(copy, ask).run();
  assert.deepEqual(service.log.map(({ id }) => id), [made[3].id, again]);
  assert.deepEqual([copy.waiting, copy.refused], [[], []]);
});

test("what another tab, which is gone, has found lost by a restore is sent by this one", async () => {
  const [service, journal] = [new Service(), new Journal()];
  const ask = async (kind, body) => structuredClone(service[kind](structuredClone(body)));
  const copy = await open(journal, "phone");
  const { id } = await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  const courier = new Courier(copy, ask);
  await courier.run();
  Object.assign(service, { log: [], devices: new Map() });
  await (await open(journal, "phone")).rewind();
  await copy.catchUp();
  await courier.run();
  assert.deepEqual(service.log.map((it) => it.id), [id]);
  assert.deepEqual(copy.waiting, []);
});

test("what an earlier version kept as sent again only uses its number after a restore", async () => {
  const journal = new Journal();
  const copy = await open(journal, "phone");
  const made = await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  const again = { ...made, id: newID(), deviceSequence: 2 };
  await journal.append(copy.count, [
    { kind: "refused", id: made.id, reason: "not that" },
    { kind: "own", operation: again, instead: made.id }, { kind: "dismissed", id: made.id },
    { kind: "rewound" },
  ]);
  assert.deepEqual((await open(journal, "phone")).waiting, [{ ...made, change: null }, again]);
});

test("if a server can't read any message, all waits and the page says why", async () => {
  const service = new Service();
  const copy = await open(new Journal(), "phone");
  for (let number = 0; number < 3; number += 1) {
    await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  }
  service.unknown = "deviceHead";
  const courier = new Courier(copy, async (kind, body) => structuredClone(service[kind](body)));
  for (let turn = 0; turn < 3; turn += 1) {
    await assert.rejects(courier.run(), Refused);
    assert.equal(courier.denial, "can't be read");
  }
  assert.equal(copy.waiting.length, 3);
  assert.equal(copy.refused.length, 0);
  service.unknown = null;
  await courier.run();
  assert.equal(service.log.length, 3);
  assert.equal(courier.denial, null);
});

test("photos that a restored backup lacks are sent again", async () => {
  const [service, shelf] = [new Service(), new Shelf()];
  const copy = await open(new Journal(), "phone");
  const courier = new Courier(copy, async (kind, body) => service[kind](body), undefined, shelf);
  await shelf.keep({ photo: { checksum: "a" }, file: "a" });
  await copy.append(marked("a"), { id: newID(), deviceTime: 0 });
  await courier.run();
  service.photos.clear();
  await copy.append(marked("a"), { id: newID(), deviceTime: 0 });
  await courier.run();
  assert.equal(service.photos.get("a"), "a");
  assert.equal(service.log.length, 2);
});

test("what waits is sent although there is no room for what others did", async () => {
  const service = new Service();
  const journal = new Journal();
  const copy = await open(journal, "phone");
  service.log.push({ id: newID(), device: "tablet", deviceSequence: 1, sequence: 1, time: 1, change: { note: {} } });
  const made = await copy.append({ note: {} }, { id: newID(), deviceTime: 0 });
  const { append } = Journal.prototype;
  journal.append = async (from, records) => {
    if (records.some(({ kind }) => kind === "ordered")) throw new DOMException("full", "QuotaExceededError");
    return append.call(journal, from, records);
  };
  const courier = new Courier(copy, async (kind, body) => structuredClone(service[kind](body)));
  for (let turn = 0; turn < 2; turn += 1) await assert.rejects(courier.run(), DOMException);
  assert.deepEqual(service.log.map(({ id }) => id).slice(1), [made.id]);
  // It waits until it has come back from the service, for which there has to be room.
  assert.equal(copy.waiting.length, 1);
  delete journal.append;
  await courier.run();
  assert.equal(copy.waiting.length, 0);
  assert.equal(copy.head, 2);
});

test("a message with operations is never longer than the service reads", async () => {
  const service = new Service();
  const copy = await open(new Journal(), "phone");
  for (let number = 0; number < 400; number += 1) {
    await copy.append({ note: { text: "x".repeat(3000) } }, { id: newID(), deviceTime: 0 });
  }
  let longest = 0;
  await new Courier(copy, async (kind, body) => {
    longest = Math.max(longest, JSON.stringify(body).length);
    return structuredClone(service[kind](body));
  }).run();
  assert.equal(service.log.length, 400);
  assert.ok(longest < 256 << 10, `${longest}`);
});
