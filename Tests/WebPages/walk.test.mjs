// The walk through a shift, with what a page has around it: node --test Tests/WebPages
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Database } from "./database.mjs";
import { NewerVersion, Overtaken, Refused, Unreachable, WorkingCopy } from "../../Services/web-service/Web/copy.js";
import { Shift, Zone } from "../../Services/web-service/Web/fold.js";

const words = new Proxy({}, { get: (_, name) => String(name) });
const page = new EventTarget();
page.getElementById = () => ({ dataset: { site: "site", account: "kari" } });
/** What runs between the last look of a turn and its end. */
let ending = null;
/** The locks that are held by several, by name. */
const shared = new Map();
const locks = {
  async request(name, options, act = options) {
    if (options.ifAvailable) return act(shared.has(name) ? null : {});
    if (options.mode === "shared") {
      shared.set(name, (shared.get(name) ?? 0) + 1);
      await act();
      const left = shared.get(name) - 1;
      return left > 0 ? shared.set(name, left) : shared.delete(name);
    }
    const said = await act();
    await ending?.();
    return said;
  },
};
Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
Object.assign(globalThis, { words, document: page });
const { Walk, fetchShift, former, order } = await import("../../Services/web-service/Web/walk.js");
const { adopt } = await import("../../Services/web-service/Web/opening.js");
const { clock, knownZone } = await import("../../Services/web-service/Web/live.js");

/** Records in memory. */
class Journal {
  records = [];
  /** The kinds that there is no room for. */
  lacks = [];
  async read(from) { return structuredClone(this.records.slice(from)); }
  async append(from, records) {
    if (from < this.records.length) throw new Overtaken();
    if (records.some(({ kind }) => this.lacks.includes(kind))) {
      throw new DOMException("no room", "QuotaExceededError");
    }
    this.records.push(...structuredClone(records));
  }
}

const task = (id) => ({
  id, parent: "", title: id, titles: {}, note: "", general: false, area: "kitchen",
  priority: "immediate", timeCritical: false, securityRound: false, link: "",
});
const snapshot = {
  shift: { id: "shift", started: 1_000, ended: 0, firstTravelPath: 5_000 },
  settings: {
    priorities: [{ name: "immediate" }], travelPathInterval: 30, grace: 5, escalateAfter: 10,
    lateAfter: 5, language: "en",
  },
  lists: [{
    id: "list", kind: "preShift", name: "List", names: {},
    sections: [{ id: "s", name: "Section", names: {}, tasks: ["a", "b", "c"].map(task) }],
  }],
};
const mark = (task, finding = "ok") => ({ mark: { list: "list", task, finding, notApplicable: "" } });

/** A walk, and the service that it reaches by `fetch`. */
async function begin(journal = new Journal()) {
  const service = { log: [], messages: [], ended: 0 };
  globalThis.fetch = async (path, { body } = {}) => {
    service.messages.push(path);
    const answer = (value) => Response.json(structuredClone(value));
    if (!body) {
      const after = Number(new URL(path, "http://steward").searchParams.get("after"));
      return answer({
        operations: service.log.filter(({ sequence }) => sequence > after), head: service.log.length,
        ended: service.ended,
      });
    }
    const { operations } = JSON.parse(body);
    for (const it of operations) {
      if (service.log.some(({ id }) => id === it.id)) continue;
      service.log.push({ ...it, sequence: service.log.length + 1, time: it.deviceTime });
    }
    return answer({ outcomes: operations.map(({ id }) => ({ id, kind: "takenIn" })) });
  };
  const copy = await WorkingCopy.open(journal, async () => ({ device: "phone", snapshot }));
  return { walk: new Walk({ copy, photos: {} }, () => {}), copy, service, journal };
}

const until = async (isSo) => {
  // Some of it waits for timers, which a busy machine runs late.
  const end = performance.now() + 60_000;
  while (!isSo() && performance.now() < end) await new Promise(setImmediate);
  assert.ok(isSo());
};

test("what is ticked just as the last tick arrives is sent at once", async () => {
  const { walk, service } = await begin();
  await walk.send();
  ending = async () => {
    ending = null;
    await walk.keep(mark("b"));
  };
  await walk.keep(mark("a"));
  await until(() => service.log.length === 2);
  assert.deepEqual(service.log.map(({ change }) => change.mark.task), ["a", "b"]);
});

test("what is ticked is on its way before the page is drawn again", async () => {
  const { walk, service } = await begin();
  await walk.send();
  const before = service.messages.length;
  // The page draws once this has returned.
  await walk.keep(mark("a"));
  assert.equal(service.messages[before], "/operations");
});

test("what is still being kept when the last tick has arrived is sent as soon as it is kept", async () => {
  const { walk, service, journal } = await begin();
  await walk.send();
  let kept;
  ending = async () => {
    ending = null;
    const { append } = Journal.prototype;
    journal.append = async (...all) => {
      delete journal.append;
      // Until nothing is sent any more.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return append.apply(journal, all);
    };
    kept = walk.keep(mark("b"));
  };
  await walk.keep(mark("a"));
  await until(() => kept);
  await kept;
  await until(() => service.log.length === 2);
  assert.deepEqual(service.log.map(({ change }) => change.mark.task), ["a", "b"]);
});

test("a tick is sent without first reading again what was kept", async () => {
  const { walk, service, journal } = await begin();
  await walk.send();
  let reads = 0;
  const { read } = Journal.prototype;
  journal.read = (from) => { reads += 1; return read.call(journal, from); };
  await walk.keep(mark("a"));
  await until(() => service.log.length === 1);
  assert.equal(reads, 0);
});

test("a tick that could not be kept is neither shown nor sent, and the next one is", async () => {
  const { walk, service, journal } = await begin();
  await walk.send();
  journal.lacks = ["own"];
  assert.equal(await walk.keep(mark("a")), null);
  assert.equal(walk.message, "notKept");
  journal.lacks = [];
  await walk.send();
  await walk.keep(mark("b"));
  await until(() => service.log.length === 1);
  assert.equal(walk.state.state(0), "unchecked");
  assert.equal(walk.state.state(1), "ok");
});

/** Records in memory, which are read and written one after the other, as by a browser. */
class BusyJournal extends Journal {
  #turn = Promise.resolve();
  #later(act) {
    const done = this.#turn.then(() => new Promise(setImmediate)).then(act);
    this.#turn = done.catch(() => {});
    return done;
  }
  read(from) { return this.#later(() => super.read(from)); }
  append(from, records) { return this.#later(() => super.append(from, records)); }
}

test("what is kept while the page looks for what other tabs have kept is applied once", async () => {
  const journal = new BusyJournal();
  const { copy } = await begin(journal);
  const other = await WorkingCopy.open(journal);
  await Promise.all([copy.append(mark("a"), { id: "a", deviceTime: 0 }), copy.catchUp()]);
  await other.catchUp();
  await other.append(mark("b"), { id: "b", deviceTime: 0 });
  await Promise.all([copy.catchUp(), copy.catchUp()]);
  assert.deepEqual(copy.waiting.map(({ id }) => id), ["a", "b"]);
  assert.equal(copy.count, journal.records.length);
});

test("what was refused is still told when the page goes on to the next shift", async () => {
  const { walk, copy } = await begin();
  let fail;
  globalThis.fetch = () => new Promise((_, reject) => { fail = reject; });
  const id = await walk.keep(mark("a"));
  await until(() => fail);
  await copy.settle([{ id, kind: "refused", refusal: "not yours" }]);
  walk.close();
  assert.deepEqual(former.get("shift").refused.map(({ reason }) => reason), ["not yours"]);
  await copy.dismiss(id);
  walk.close();
  assert.equal(former.size, 0);
  // The process would wait for the answer.
  fail(new TypeError("no network"));
});

test("half a character in a text holds up no message", async () => {
  const { walk, service, journal } = await begin();
  await walk.send();
  await walk.keep({ note: { list: "list", task: "a", text: "\ud83d Grill \ud83d\udd25 \udd25" } });
  await until(() => service.log.length === 1);
  const text = "\ufffd Grill \ud83d\udd25 \ufffd";
  assert.equal(service.log[0].change.note.text, text);
  assert.equal(journal.records.find(({ kind }) => kind === "own").operation.change.note.text, text);
});

test("a text with endless combining marks holds up no message", async () => {
  const { walk, service } = await begin();
  await walk.send();
  // The service accepts 30 in a row, and refuses a whole message for one more.
  const grill = (count) => `Grill${"\u0301".repeat(count)} k\u0301`;
  for (const count of [30, 31, 200]) {
    await walk.keep({ note: { list: "list", task: "a", text: grill(count) } });
  }
  await until(() => service.log.length === 3);
  for (const { change } of service.log) assert.equal(change.note.text, grill(30));
});

test("an answer that a message can't be read is a refusal, even as plain text", async () => {
  const { walk, copy } = await begin();
  await walk.send();
  const { fetch } = globalThis;
  for (const status of [400, 413]) {
    globalThis.fetch = async (path, options) =>
      (options.body ? new Response("no", { status }) : fetch(path, options));
    await walk.keep(mark("a"));
    await until(() => walk.courier.denial === "notRead");
    assert.equal(walk.courier.obstacle, null);
    globalThis.fetch = fetch;
    await walk.send(true);
    await until(() => copy.waiting.length === 0);
  }
});

test("what is refused only for now is kept, and the page says why", async () => {
  const { walk, copy } = await begin();
  await walk.send();
  const { fetch } = globalThis;
  const busy = { code: "conflict", message: "ask again in 9 s", reason: "answers.limit" };
  globalThis.fetch = async (path, options) =>
    (options.body ? Response.json(busy, { status: 503 }) : fetch(path, options));
  await walk.keep(mark("a"));
  await until(() => walk.courier.obstacle === "ask again in 9 s");
  assert.deepEqual([walk.courier.denial, copy.waiting.length], [null, 1]);
  globalThis.fetch = fetch;
  await walk.send(true);
  await until(() => copy.waiting.length === 0);
});

test("a page that can't read what a newer version has kept says so, and loses nothing", async () => {
  const { walk, service, journal } = await begin();
  await walk.send();
  const other = { ...(await WorkingCopy.open(journal)).snapshot, kind: "newer" };
  const own = { kind: "own", operation: { id: "b", deviceSequence: 2, change: mark("b") } };
  await walk.keep(mark("a"));
  await until(() => service.log.length === 1 && !walk.courier.isBusy);
  journal.records.push(other, own);
  const before = structuredClone(journal.records);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    assert.equal(await walk.keep(mark("c")), null);
    assert.equal(walk.message, "notKept newerKept");
    await walk.send();
    assert.equal(walk.lack, "newerKept");
  }
  await assert.rejects(WorkingCopy.open(journal), NewerVersion);
  assert.deepEqual(journal.records, before);
});

test("a zone that a browser doesn't know is that of the device", () => {
  assert.equal(knownZone("Europe/Oslo"), "Europe/Oslo");
  assert.equal(knownZone("Europe/Atlantis"), undefined);
  const time = Date.UTC(2026, 0, 1);
  assert.equal(clock(time, "Europe/Atlantis"), clock(time));
  assert.equal(clock(time, "Europe/Oslo"), "01:00");
  assert.equal(new Zone(undefined).offset(time / 1000), 0 - 60 * new Date(time).getTimezoneOffset());
});

test("what writes times is made once for each zone in which the device is", async () => {
  // Nothing has been made yet, whatever the zone of this machine.
  const fresh = await import("../../Services/web-service/Web/live.js?fresh");
  const { DateTimeFormat } = Intl;
  const { TZ } = process.env;
  let made = 0;
  Intl.DateTimeFormat = function format(...all) {
    made += 1;
    return new DateTimeFormat(...all);
  };
  try {
    const [winter, summer] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
    const zones = ["Europe/Oslo", "Europe/Helsinki", "Africa/Johannesburg", "Europe/Oslo"];
    const said = zones.map((zone) => {
      process.env.TZ = zone;
      return [fresh.clock(winter), fresh.clock(summer)].join();
    });
    assert.deepEqual(said, ["01:00,02:00", "02:00,03:00", "02:00,02:00", "01:00,02:00"]);
    assert.equal(made, 3);
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test("a page says that there is no room for what others do, until there is some", async () => {
  const { walk, service, journal } = await begin();
  await walk.send();
  journal.lacks = ["ordered"];
  await walk.keep(mark("a"));
  await until(() => service.log.length === 1 && walk.lack === "noRoom");
  journal.lacks = [];
  await walk.send();
  assert.equal(walk.lack, "");
});

test("what waits has the same effect on a state that was folded ahead as on a new one", async () => {
  const { walk, copy, service } = await begin();
  const seen = (state) => JSON.stringify(
    [state.tasks.map((_, position) => state.result(position)), state.todos, state.head]);
  let seed = 7;
  const pick = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let isAway = false;
  const { fetch } = globalThis;
  globalThis.fetch = async (...all) => {
    if (isAway) throw new TypeError("no network");
    return fetch(...all);
  };
  for (let step = 0; step < 200; step += 1) {
    switch (pick(6)) {
      case 0: walk.prepare(); break;
      case 1: isAway = !isAway; break;
      case 2: {
        // Somebody else's.
        const sequence = service.log.length + 1;
        service.log.push({
          id: String(sequence).padStart(32, "f"), shift: "shift", device: "tablet",
          deviceSequence: sequence, deviceTime: step, seen: pick(sequence), actor: "ola",
          actorName: "Ola", sequence, time: step, late: false, change: mark("abc"[pick(3)], "notOk"),
        });
        break;
      }
      case 3: await walk.send(); break;
      default: await walk.keep(mark("abc"[pick(3)], ["ok", "notOk"][pick(2)]));
    }
    const { shift, settings, lists } = copy.snapshot;
    const anew = new Shift(shift, settings, lists);
    for (const operation of copy.everything) anew.apply(operation);
    assert.equal(seen(walk.state), seen(anew), `step ${step}`);
  }
});

const database = globalThis.indexedDB = new Database();
/** A walk through another shift, in the database of the browser. */
async function walkOf(id) {
  const own = await adopt({ ...snapshot, shift: { ...snapshot.shift, id } });
  return new Walk(own, () => {});
}
const none = () => fetchShift(Promise.reject(new Refused("notFound", "none"))).catch(() => {});

test("what waits in a shift that the page leaves is said, and sent", async () => {
  const { service } = await begin();
  const { fetch } = globalThis;
  globalThis.fetch = async () => { throw new TypeError("no network"); };
  const walk = await walkOf("left");
  // What former shifts have left was sent before.
  await none();
  await walk.keep(mark("a"));
  await walk.send();
  walk.close();
  assert.deepEqual([...former.keys()], ["left"]);
  globalThis.fetch = fetch;
  await none();
  await until(() => service.log.length === 1 && former.size === 0);
});

test("the photos of a former shift are deleted once no page shows it that could take more", async () => {
  await begin();
  const walk = await walkOf("open-still");
  await walk.send();
  await walk.photos.keep({ photo: { checksum: "9f" }, file: "file" });
  const photos = () => [...database.kept.keys()].filter((key) => key.includes("photos"));
  const other = new Walk(walk, () => {});
  /** Closes a walk while something waits, so that former shifts are looked after again. */
  const leave = async (it) => {
    it.copy.waiting = [{ id: "other" }];
    it.close();
    it.copy.waiting = [];
    await none();
    await until(() => former.size === 0);
  };
  await leave(walk);
  assert.deepEqual(photos(), ["kari/open-still/photos,9f"]);
  await leave(other);
  await until(() => photos().length === 0);
});

test("a page without a network says what waits of former shifts", async () => {
  globalThis.fetch = async () => { throw new TypeError("no network"); };
  await (await walkOf("former")).keep(mark("a"));
  former.clear();
  await (await walkOf("shown")).keep(mark("a"));
  await fetchShift(Promise.reject(new Unreachable("no network"))).catch(() => {});
  await until(() => former.size > 0);
  assert.deepEqual([...former.keys()], ["former"]);
  former.clear();
});

test("an order that got no answer is given again under its id, and the next one under another", async () => {
  const sent = [];
  const ahead = () => Response.json({ code: "invalid", message: "ahead", reason: "id.ahead" }, { status: 400 });
  const answers = [() => { throw new TypeError("no network"); }, ...[1, 2].map(() => () => Response.json({})),
    ahead, () => Response.json({})];
  globalThis.fetch = async (_, { body }) => {
    sent.push(JSON.parse(body).id);
    return answers.shift()();
  };
  const errors = [];
  for (let count = 0; count < 4; count += 1) errors.push(await order("start", { dayPart: 1 }));
  assert.ok(errors[0] instanceof Unreachable);
  assert.deepEqual(errors.slice(1), [null, null, null]);
  assert.equal(sent[0], sent[1]);
  assert.notEqual(sent[1], sent[2]);
  // Where the clock is wrong, the service makes the id.
  assert.deepEqual([sent[3].length, sent[4]], [36, undefined]);
});

const read = (path) => readFileSync(new URL(`../../Services/web-service/${path}`, import.meta.url), "utf8");

/** The scripts that a script imports, directly or not. */
function imports(name, found = new Set()) {
  for (const [, other] of read(`Web/${name}`).matchAll(/ (?:from |import\(|loadScript\()"(?:\.\/)?([^"]+)"/g)) {
    if (!found.has(other)) imports(other, found.add(other));
  }
  return found;
}

test("the page names all scripts that a checklist may need offline, and those of its first steps apart", () => {
  const page = read("Pages/ShiftPage.swift");
  const names = (text) => [...text.matchAll(/"([a-z]+\.js)"/g)].map(([, name]) => name);
  const [, first, others] = /frame\.early = \("opening\.js", (.*?)\)\n(.*?)frame\.question/s.exec(page);
  // A slow phone would run the first steps later with each script that they need.
  assert.deepEqual(names(first).sort(), [...imports("opening.js")].sort());
  // Former copies are looked after once the service has answered, so with a network.
  const offline = [...imports("shift.js")].filter((name) => name !== "former.js");
  assert.deepEqual(["opening.js", ...names(first), ...names(others)].sort(), offline.sort());
});
