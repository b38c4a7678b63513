// The positions of a ride, and when a device rings on its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Positions, ServerClock, alarms, forget, makeID, pause, sendPause } from "../../Services/web-service/Web/positions.js";

class Store {
  texts = new Map();
  getItem(key) { return this.texts.get(key) ?? null; }
  setItem(key, text) { this.texts.set(key, text); }
  removeItem(key) { this.texts.delete(key); }
}

let count = 0;
const newID = () => `id-${count += 1}`;
const at = (time) => ({ time, latitude: 1, longitude: 2 });

test("what waits is sent oldest first, under the same id until it is settled, even after a restart", () => {
  const store = new Store();
  const positions = new Positions(store, "kari", newID);
  for (let time = 1; time <= 700; time += 1) assert.ok(positions.add(at(time)));
  const first = positions.next;
  assert.equal(first.positions.length, 500);
  assert.equal(first.positions[0].time, 1);
  positions.add(at(701));
  const again = new Positions(store, "kari", newID);
  assert.deepEqual(again.next, first);
  again.settle("another");
  assert.equal(again.count, 701);
  again.settle(first.id);
  assert.equal(again.count, 201);
  assert.equal(again.next.positions[0].time, 501);
  assert.notEqual(again.next.id, first.id);
});

test("another person on the device neither sees nor sends what waits, and the end deletes it", () => {
  const store = new Store();
  const kari = new Positions(store, "kari", newID);
  kari.add(at(1));
  assert.equal(new Positions(store, "ole", newID).next, null);
  kari.clear();
  assert.equal(new Positions(store, "kari", newID).count, 0);
  assert.equal(store.texts.size, 0);
});

test("a ride that a person has ended stays ended after a restart, and the next one is not", () => {
  const store = new Store();
  const first = new Positions(store, "kari", newID);
  first.begin("r1");
  first.add(at(1));
  const sent = first.next;
  first.end(1);
  assert.ok(first.isEnding);
  assert.ok(![...store.texts.values()].join().includes("latitude"));
  // The answer to those that were on their way comes later.
  first.settle(sent.id);
  assert.equal(first.count, 0);
  const again = new Positions(store, "kari", newID);
  again.begin("r1");
  assert.ok(again.isEnding);
  again.begin("r2");
  assert.ok(!again.isEnding);
  assert.ok(!new Positions(store, "kari", newID).isEnding);
});

test("positions belong to one ride, even after a restart", () => {
  const store = new Store();
  const first = new Positions(store, "kari", newID);
  first.begin("r1");
  first.add(at(1));
  const again = new Positions(store, "kari", newID);
  again.begin("r1");
  assert.equal(again.count, 1);
  again.begin("r2");
  assert.equal(again.next, null);
  assert.equal(store.texts.size, 0);
  // Those of an earlier version may be of any ride.
  store.setItem("ride/kari", JSON.stringify({ positions: [at(1)], batch: null }));
  const former = new Positions(store, "kari", newID);
  former.begin("r1");
  assert.equal(former.count, 0);
});

test("times only go forward, and a ride without a network has an end", () => {
  const positions = new Positions(new Store(), "kari", newID);
  assert.ok(positions.add(at(10)));
  assert.ok(!positions.add(at(10)));
  assert.ok(!positions.add(at(9)));
  for (let time = 11; time < 3000; time += 1) positions.add(at(time));
  assert.equal(positions.count, 2000);
  assert.equal(positions.next.positions.at(-1).time, 1499);
});

test("after a clock was set back, later positions are dropped unless they are under way", () => {
  const positions = new Positions(new Store(), "kari", newID);
  const times = () => {
    const { id, positions: sent } = positions.next;
    positions.settle(id);
    return sent.map(({ time }) => time);
  };
  for (const time of [1_000, 3_600_000]) positions.add(at(time));
  const batch = positions.next;
  positions.add(at(3_610_000));
  assert.ok(!positions.add(at(3_609_000)));
  assert.ok(positions.add(at(20_000)));
  assert.ok(positions.add(at(30_000)));
  assert.deepEqual(positions.next, batch);
  assert.deepEqual(times(), [1_000, 3_600_000]);
  assert.deepEqual(times(), [20_000, 30_000]);
  // Nothing is under way: only earlier positions stay.
  for (const time of [40_000, 50_000, 3_600_000, 50_000]) positions.add(at(time));
  assert.deepEqual(times(), [40_000, 50_000]);
});

test("a ride without a network has an end even after sending has begun", () => {
  const positions = new Positions(new Store(), "kari", newID);
  for (let time = 1; time <= 10; time += 1) positions.add(at(time));
  const batch = positions.next;
  for (let time = 11; time <= 3000; time += 1) positions.add(at(time));
  assert.equal(positions.count, 2000);
  assert.deepEqual(positions.next, batch);
  positions.settle(batch.id);
  assert.equal(positions.next.positions[0].time, 1011);
});

test("an id has the time of the server, whatever the clock of the device shows", () => {
  let [date, steady] = [5000, 40];
  const clock = new ServerClock(() => date, () => steady);
  assert.equal(clock.now, 5000);
  clock.set(1_800_000_000_000, clock.steady);
  [date, steady] = [date + 3_600_000, steady + 2000.5];
  const id = makeID(clock.now);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(parseInt(id.replace("-", "").slice(0, 12), 16), 1_800_000_002_000);
});

test("an open ride survives a storage that is full or holds something else", () => {
  const store = new Store();
  store.setItem("ride/kari", "{broken");
  store.setItem = () => { throw new Error("full"); };
  const positions = new Positions(store, "kari", newID);
  positions.add(at(1));
  assert.equal(positions.next.positions.length, 1);
});

test("the faster a device moves, the sooner the next position, never sooner than 5 s", () => {
  assert.deepEqual([0, 2, 3, 9, 10, 50].map(pause), [30000, 30000, 10000, 10000, 5000, 5000]);
});

test("a device that doesn't say how fast it moves may be riding", () => {
  assert.deepEqual([null, undefined, NaN, -1].map(pause), [10000, 10000, 10000, 10000]);
});

test("a ride of twenty minutes is at most a dozen messages before the alarm", () => {
  let [time, messages] = [0, 0];
  const ride = { stage: "riding", notice: 180_000, remaining: 1_200_000 };
  while (ride.remaining > ride.notice) {
    const wait = sendPause(ride);
    assert.ok(wait >= 20_000 && wait <= 240_000);
    time += wait;
    ride.remaining -= wait;
    messages += 1;
  }
  assert.ok(messages <= 12, `${messages}`);
});

test("a device alone rings at the time that the server named, then when the vehicle stops", () => {
  assert.deepEqual(alarms({ stage: "riding", due: 0, remaining: 5 }, 1000), []);
  assert.deepEqual(
    alarms({ stage: "riding", due: 5000, remaining: 190_000, notice: 180_000 }, 1000),
    [{ stage: "getReady", at: 5000 }, { stage: "now", at: 161_000 }]);
  // Never both at once.
  assert.deepEqual(
    alarms({ stage: "riding", due: 5000, remaining: 10_000 }, 1000).map((it) => it.at),
    [5000, 35_000]);
  // A ride without positions has less time left at each answer, so that the time stays the same.
  for (const now of [1000, 61_000, 121_000]) {
    const journey = { stage: "riding", due: 5000, remaining: 601_000 - now };
    assert.deepEqual(alarms(journey, now).at(-1), { stage: "now", at: 571_000 });
  }
  assert.deepEqual(alarms({ stage: "getReady", due: 7000, remaining: 9000 }, 1000),
    [{ stage: "now", at: 7000 }]);
  assert.deepEqual(alarms({ stage: "riding", due: 5000 }, 1000), [{ stage: "getReady", at: 5000 }]);
});

test("what rides have left is deleted when it is old, and all of it after a log-out", () => {
  const now = Date.now();
  const hours = (count) => now - count * 3_600_000;
  const keep = (texts) => Object.defineProperties(
    Object.fromEntries(Object.entries(texts).map(([key, it]) => [key, JSON.stringify(it)])), {
      getItem: { value(key) { return this[key] ?? null; } },
      removeItem: { value(key) { delete this[key]; } },
    });
  const texts = {
    "ride/kari": { positions: [at(hours(30)), at(hours(23))], batch: null },
    "ride/ole": { positions: [at(hours(25))], batch: null }, "ride/mia": { positions: [] },
    "ride-stops/kari": { time: hours(25), stops: [] }, "ride-stops/mia": [{ id: "pier" }],
    sound: "on",
  };
  const store = keep(texts);
  forget(store, now);
  assert.deepEqual(Object.keys(store), ["ride/kari", "sound"]);
  forget(store, Infinity);
  assert.deepEqual(Object.keys(store), ["sound"]);
});
