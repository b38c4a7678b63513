// Forms of pages that were open for long: node --test Tests/WebPages
import assert from "node:assert/strict";
import { test } from "node:test";
import { Element, makePage } from "./page.mjs";

const hour = 3_600_000;
const key = (age, account = "kari") => {
  const digits = Math.floor(Date.now() - age).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000/${account}`;
};
const holding = (value) => {
  const field = new Element("input");
  field.setAttribute("name", "command");
  field.setAttribute("value", value);
  const it = new Element("form");
  it.append(field);
  return it;
};
/** The page as the server would make it now, and how often it was asked. */
const server = { page: null, asked: 0 };
Object.assign(globalThis, {
  words: {}, document: makePage([]), location: { href: "/people" },
  DOMParser: class { parseFromString() { return server.page; } },
  fetch: async () => {
    server.asked += 1;
    if (!server.page) throw new TypeError("no network");
    return new Response("");
  },
});
/** Each press is too late to be the second of a double press. */
let steady = 0;
performance.now = () => steady += 10_000;
const { moment } = await import("../../Services/web-service/Web/live.js");

const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
};

/** Presses a form's button; returns the keys with which it was sent. */
async function press(form) {
  const sent = [];
  const submit = () => {
    const event = new Event("submit", { cancelable: true });
    Object.defineProperty(event, "target", { value: form });
    document.dispatchEvent(event);
    if (!event.defaultPrevented) sent.push(form.querySelector("[name='command']")?.value);
  };
  Object.assign(form, { method: "post", requestSubmit: submit });
  submit();
  await settled();
  return sent;
}

test("a form of a page that was open for a day is sent with the key of a new one, once", async () => {
  const fresh = key(0);
  server.page = holding(fresh);
  const form = holding(key(24 * hour));
  assert.deepEqual(await press(form), [fresh]);
  assert.equal(server.asked, 1);
  // The same form sent again is the same command.
  server.page = holding(key(-1000));
  assert.deepEqual(await press(form), [fresh]);
  assert.equal(server.asked, 1);
});

test("a form that was sent before keeps its key, however old it is by then", async () => {
  server.asked = 0;
  const form = holding(key(0));
  const first = await press(form);
  const { now } = Date;
  Date.now = () => now() + 24 * hour;
  try { assert.deepEqual(await press(form), first); } finally { Date.now = now; }
  assert.equal(server.asked, 0);
});

test("a form that is pressed again while its new key is on its way is sent once", async () => {
  const fresh = key(0);
  server.page = holding(fresh);
  // The server would still accept the old key.
  const form = holding(key(22.5 * hour));
  const sent = await Promise.all([press(form), press(form)]);
  assert.deepEqual(sent.flat(), [fresh]);
});

test("without the page of the same person an old form is sent as it is", async () => {
  const old = key(24 * hour);
  for (const page of [null, holding(key(0, "ole")), new Element("form")]) {
    server.page = page;
    assert.deepEqual(await press(holding(old)), [old]);
  }
});

test("a form without a key is sent as it is", async () => {
  server.asked = 0;
  assert.deepEqual(await press(new Element("form")), [undefined]);
  assert.equal(server.asked, 0);
});

test("a time is that of its zone, which is named if the device has another", () => {
  document.documentElement ??= { lang: "en" };
  const [{ TZ }, { now }] = [process.env, Date];
  const evening = Date.UTC(2026, 10, 20, 23, 30);
  process.env.TZ = "Europe/Oslo";
  Date.now = () => evening + hour / 2;
  try {
    assert.equal(moment(evening, "Europe/Oslo"), "00:30");
    assert.equal(moment(evening, "Europe/Paris"), "00:30");
    assert.equal(moment(evening, "Europe/London"), "Nov 20, 2026 23:30 Europe/London");
    assert.equal(moment(evening, "Asia/Tokyo"), "08:30 Asia/Tokyo");
    assert.equal(moment(evening - hour, "Europe/Oslo"), "Nov 20, 2026 23:30");
    // A zone that the browser doesn't know, and none.
    assert.equal(moment(evening, "Nowhere/Land"), "00:30");
    assert.equal(moment(evening), "00:30");
  } finally {
    Date.now = now;
    if (TZ === undefined) delete process.env.TZ; else process.env.TZ = TZ;
  }
});
