// The bell of every page, with what a browser has around it: node --test Tests/WebPages
import assert from "node:assert/strict";
import { test } from "node:test";
import { Element, makePage } from "./page.mjs";

/** What the page does later, with the time in milliseconds. */
const later = [];
/** What the server answers to an acknowledgement; null for nothing. */
let answer = null;
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
Object.assign(globalThis, {
  words: new Proxy({}, { get: (_, name) => String(name) }), document: makePage(["urgent-alerts"]),
  addEventListener() {}, setInterval() {}, requestAnimationFrame() {},
  setTimeout: (act, time) => later.push({ act, time }),
  fetch: async () => {
    if (!answer) throw new TypeError("no network");
    return { headers: new Headers(), ...answer };
  },
});
await import("../../Services/web-service/Web/bell.js");

const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
};

/** Presses the button of an urgent alert, and returns its form. */
async function acknowledge() {
  const form = new Element("form");
  form.append(new Element("button"));
  const event = new Event("submit", { cancelable: true });
  Object.defineProperty(event, "target", { value: form });
  document.getElementById("urgent-alerts").dispatchEvent(event);
  await settled();
  return form;
}
const isOff = (form) => form.querySelector("button").disabled === true;

test("a page says at once that an urgent alert was not acknowledged", async () => {
  for (answer of [null, { status: 401, ok: false }, { status: 503, ok: false }]) {
    const form = await acknowledge();
    assert.ok(form.textContent.includes("notAcknowledged"));
    assert.ok(!isOff(form));
  }
});

test("an alert that is still there after a redirection can be acknowledged again", async () => {
  // The server redirects once it is acknowledged, but so may a proxy that knows nothing of it.
  answer = { status: 0, ok: false };
  const form = await acknowledge();
  assert.ok(isOff(form) && !form.textContent.includes("notAcknowledged"));
  for (const { act, time } of later) if (time === 5_000) act();
  assert.ok(!isOff(form));
});
