// The page of a ride, with what a browser has around it: node --test Tests/WebPages
import assert from "node:assert/strict";
import { test } from "node:test";

/** As much of an element as the page uses. */
class Element {
  childNodes = [];
  dataset = {};
  classList = { toggle() {}, remove() {} };
  #acts = [];
  constructor(tag) { this.tag = tag; }
  get textContent() { return this.childNodes.map((it) => it.textContent).join(""); }
  setAttribute() {}
  append(...nodes) { this.childNodes.push(...nodes); }
  replaceChildren(...nodes) { this.childNodes = nodes; }
  isEqualNode() { return false; }
  addEventListener(_, act) { this.#acts.push(act); }
  click() { for (const act of this.#acts) act(); }
  querySelectorAll(tag) {
    return this.childNodes.flatMap((it) => (
      it instanceof Element ? [...(it.tag === tag ? [it] : []), ...it.querySelectorAll(tag)] : []));
  }
}

const texts = new Map([["ride/kari", JSON.stringify({ positions: [{ time: 1 }], batch: null })]]);
const localStorage = {
  getItem: (key) => texts.get(key) ?? null,
  setItem: (key, text) => texts.set(key, text),
  removeItem: (key) => texts.delete(key),
};
const root = new Element("main");
root.dataset.account = "kari";
const page = Object.assign(new EventTarget(), {
  getElementById: (id) => (id === "ride" ? root : null),
  createElement: (tag) => new Element(tag),
  createTextNode: (textContent) => ({ textContent }),
  body: new Element("body"),
});
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
/** The time of this device, and what the page does again and again. */
let now = 1_790_000_000_000;
let tick = () => {};
Date.now = () => now;
Object.assign(globalThis, {
  setInterval: (act) => { tick = act; }, clearInterval() {},
  words: new Proxy({}, { get: (_, name) => String(name) }), document: page, localStorage,
  addEventListener() {},
});

test("an end that was refused is sent anew, and drops no positions that weren't sent", async () => {
  const journey = { id: "r", stage: "riding", stop: { name: "Pier" } };
  /** What becomes of an end: "refused", "lost" or "done". */
  let fate = "refused";
  const [ends, others] = [[], []];
  globalThis.fetch = async (path, { body } = {}) => {
    if (path !== "/ride/r/finish") {
      others.push(path);
      return Response.json({ journey, now });
    }
    ends.push(JSON.parse(body).id);
    if (fate === "lost") throw new TypeError("no network");
    if (fate === "done") return Response.json({ journey: { ...journey, stage: "finished" } });
    return Response.json({ code: "invalid", message: "from another time" }, { status: 422 });
  };
  const settled = async () => {
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  };
  const again = async () => {
    now += 30_000;
    tick();
    await settled();
  };
  await import("../../Services/web-service/Web/ride.js");

  root.querySelectorAll("button").find((it) => it.textContent === "endRide").click();
  await settled();
  await again();
  fate = "lost";
  await again();
  await again();
  const waiting = JSON.parse(texts.get("ride/kari")).positions;
  fate = "done";
  await again();

  // Whether one that got no answer was carried out isn't known, so that goes under the same id.
  const [first, second, third] = ends;
  assert.deepEqual(ends, [first, second, third, third, third]);
  assert.equal(new Set(ends).size, 3);
  assert.deepEqual(waiting, [{ time: 1 }]);
  assert.deepEqual(new Set(others), new Set(["/ride/current"]));
  assert.ok(root.textContent.includes("arrived"));
  assert.equal(texts.size, 0);
});
