// The working copy and the courier of a browser: replies are lost and tabs are killed at any point,
// and nothing is lost or done twice.
import assert from "node:assert/strict";
import test from "node:test";
import { Courier, Refused, Unreachable } from "../../Services/web-service/Web/courier.js";
import { Overtaken, WorkingCopy } from "../../Services/web-service/Web/copy.js";

/** SplitMix32. */
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

/** Records that survive the tab. */
class Journal {
  records = [];
  async read(from) { return structuredClone(this.records.slice(from)); }
  async append(from, records) {
    if (from < this.records.length) throw new Overtaken();
    this.records.push(...structuredClone(records));
  }
}

/** The rules of checklist-service for what devices send. */
class Service {
  log = [];
  devices = new Map();
  refuses = new Set();
  record({ operations }) {
    return {
      outcomes: operations.map((operation) => {
        const { id, device, deviceSequence } = operation;
        if (this.log.some((it) => it.id === id)) return { id, kind: "takenIn" };
        if (this.refuses.has(id)) {
          this.devices.set(device, Math.max(this.devices.get(device) ?? 0, deviceSequence));
          return { id, kind: "refused", refusal: "not that", refusalReason: "" };
        }
        if (deviceSequence !== (this.devices.get(device) ?? 0) + 1) {
          return { id, kind: "refused", refusal: "a gap", refusalReason: "shift.gap" };
        }
        this.devices.set(device, deviceSequence);
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
  const devices = ["phone", "tablet"].map((name) => ({ name, journal: new Journal() }));
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
    device.courier = new Courier(device.copy, ask);
  };
  for (const device of devices) await connect(device);
  for (let step = 0; step < 60; step += 1) {
    const device = devices[pick(2)];
    switch (pick(5)) {
      case 0: case 1: {
        const operation = await device.copy.append({ note: {} }, { id: newID(), deviceTime: step });
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
    assert.deepEqual(refused.sort(), made.filter((id) => service.refuses.has(id)).sort());
    for (const { copy } of devices) {
      assert.equal(copy.waiting.length, 0);
      assert.deepEqual(copy.operations.map(({ id }) => id), service.log.map(({ id }) => id));
    }
  }
});

test("after a restored backup a device sends again what the service has forgotten", async () => {
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
