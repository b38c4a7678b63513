// The board on a wall, with what a browser has around it: node --test Tests/WebPages
import assert from "node:assert/strict";
import { test } from "node:test";
import { makePage } from "./page.mjs";

/** The time of day of this device, and that of a clock that nobody sets. */
let [date, steady] = [1_790_000_000_000, 0];
Date.now = () => date;
performance.now = () => steady;
/** What the page does again and again, by the milliseconds in between. */
const repeated = new Map();
/** The streams that it follows, the tones that it has made, and how often it was loaded again. */
const [streams, tones] = [[], []];
let reloads = 0;
/** A browser that keeps nothing for the page has locks, and refuses them. */
const locks = { request: async () => { throw new DOMException("no storage", "SecurityError"); } };
Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
const { setTimeout: wait } = globalThis;
Object.assign(globalThis, {
  words: new Proxy({}, { get: (_, name) => String(name) }), addEventListener() {},
  document: makePage(["wall", "head", "path", "state"]),
  setInterval: (act, time) => repeated.set(time, act),
  setTimeout: (act, time) => wait(act, time).unref(),
  location: { pathname: "/board/Harbour", href: "/board/Harbour", reload() { reloads += 1; } },
  localStorage: { getItem: () => null, setItem() {} },
  BroadcastChannel: class extends EventTarget { postMessage() {} },
  EventSource: class extends EventTarget {
    static OPEN = 1;
    readyState = 0;
    constructor() {
      super();
      streams.push(this);
    }
    close() {}
  },
  AudioContext: class {
    state = "running";
    currentTime = 0;
    async resume() {}
    createOscillator() {
      tones.push(steady);
      return { frequency: {}, connect: (next) => next, start() {}, stop() {} };
    }
    createGain() { return { gain: { setValueAtTime() {} }, connect: (next) => next }; }
  },
});
const path = document.getElementById("path");
const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
};
const tell = (kind, data) => streams[0].dispatchEvent(Object.assign(new Event(kind), { data }));
await import("../../Services/web-service/Web/board.js");
await settled();

test("a board follows its shift in a browser that refuses it locks", () => {
  assert.equal(streams.length, 1);
});

test("a late travel path sounds each minute, although the clock of the server is set back", async () => {
  document.querySelector("button").click();
  await settled();
  path.setAttribute("class", "path late");
  tones.length = 0;
  for (let second = 0; second < 180; second += 1) {
    [date, steady] = [date + (second === 90 ? -3_600_000 : 1000), steady + 1000];
    repeated.get(500)();
  }
  // Each time three tones.
  assert.equal(tones.length, 9);
  path.setAttribute("class", "path time");
});

test("a board loads a new version once the server answers, and shows no error meanwhile", async () => {
  tell("version", "another");
  globalThis.fetch = async () => { throw new TypeError("no network"); };
  repeated.get(60_000)();
  await settled();
  assert.equal(reloads, 0);
  globalThis.fetch = async () => new Response("starting", { status: 503 });
  repeated.get(60_000)();
  await settled();
  assert.equal(reloads, 0);
  // The travel path is late by the time the server answers.
  globalThis.fetch = async () => {
    path.setAttribute("class", "path late");
    return new Response("<p>", { status: 200 });
  };
  repeated.get(60_000)();
  await settled();
  assert.equal(reloads, 0);
  path.setAttribute("class", "path time");
  globalThis.fetch = async () => new Response("<p>", { status: 200 });
  repeated.get(60_000)();
  await settled();
  assert.equal(reloads, 1);
});
