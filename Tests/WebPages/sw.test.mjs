// The service worker, with a browser that has no room or answers by itself: node --test Tests/WebPages
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { createContext, runInContext } from "node:vm";

const script = readFileSync(
  new URL("../../Services/web-service/Web/sw.js", import.meta.url), "utf8");

/** A cache of a browser. */
class Shelf {
  all = new Map();
  isFull = false;
  #path = (it) => new URL(typeof it === "string" ? it : it.url, "https://steward").pathname;
  async match(request) { return this.all.get(this.#path(request))?.clone(); }
  async matchAll() { return [...this.all.values()].map((it) => it.clone()); }
  async keys() { return [...this.all.keys()].map((path) => ({ url: `https://steward${path}` })); }
  async put(request, response) {
    if (this.isFull) throw new DOMException("no room", "QuotaExceededError");
    this.all.set(this.#path(request), response);
  }
  async delete(request) { return this.all.delete(this.#path(request)); }
}

/** A service worker that has started. */
function begin(answer, timer = (act) => setTimeout(act, 0)) {
  const [shelves, listeners] = [new Map(), new Map()];
  const caches = {
    async open(name) {
      if (!shelves.has(name)) shelves.set(name, new Shelf());
      return shelves.get(name);
    },
    async delete(name) { return shelves.delete(name); },
    async match(request, { cacheName } = {}) {
      for (const [name, shelf] of shelves) {
        if (cacheName !== undefined && name !== cacheName) continue;
        const found = await shelf.match(request);
        if (found) return found;
      }
      return undefined;
    },
  };
  const self = {
    addEventListener: (kind, act) => listeners.set(kind, act), skipWaiting() {},
    location: { origin: "https://steward" },
  };
  runInContext(script, createContext({
    self, caches, URL, Promise, Set, fetch: answer, setTimeout: timer,
  }));
  /** Has it answer a request; undefined if it leaves that to the browser. */
  const ask = async (path, { method = "GET", mode = "navigate" } = {}) => {
    const works = [];
    let response;
    listeners.get("fetch")({
      request: { url: `https://steward${path}`, method, mode, cache: "default" },
      waitUntil: (work) => works.push(work), respondWith: (it) => { response = it; },
    });
    const said = await response;
    await Promise.all(works);
    return said?.text();
  };
  return { ask, caches, listeners };
}

test("a page opens although there is no room to set the kept one aside", async () => {
  const { ask, caches } = begin(async () => new Response("fresh", { status: 200 }));
  await (await caches.open("pages")).put("/shift/Harbour", new Response("kept"));
  (await caches.open("aged")).isFull = true;
  await ask("/login", { method: "POST" });
  assert.equal(await ask("/shift/Harbour"), "fresh");
});

test("a browser that can't read what it keeps shows the page and its files all the same", async () => {
  const { ask, caches } = begin(async () => new Response("fresh", { status: 200 }));
  caches.open = caches.match = async () => { throw new DOMException("", "UnknownError"); };
  assert.equal(await ask("/files/1/shift.js", { mode: "cors" }), "fresh");
  assert.equal(await ask("/shift/Harbour"), "fresh");
});

test("after a form a kept page is shown only if there is no answer", async () => {
  let isThere = true;
  const { ask, caches } = begin(async () => {
    if (!isThere) throw new TypeError("no network");
    return new Response("fresh", { status: 200 });
  });
  await (await caches.open("pages")).put("/shift/Harbour", new Response("kept"));
  assert.equal(await ask("/shift/Harbour"), "kept");
  await (await caches.open("pages")).put("/shift/Harbour", new Response("kept"));
  await ask("/login", { method: "POST" });
  isThere = false;
  assert.equal(await ask("/shift/Harbour"), "kept");
  isThere = true;
  assert.equal(await ask("/shift/Harbour"), "fresh");
});

test("once somebody has logged in, the page of the person before isn't shown any more", async () => {
  let isThere = true;
  const { ask, caches } = begin(async () => {
    if (!isThere) throw new TypeError("no network");
    return new Response("of Ole", { status: 200 });
  });
  await (await caches.open("pages")).put("/shift/Harbour", new Response("of Kari"));
  await ask("/login", { method: "POST" });
  await ask("/");
  isThere = false;
  assert.equal(await ask("/shift/Harbour"), "of Ole");
});

/** A service worker with a slow server, and a clock that the test sets. */
function beginSlowly() {
  let now = 0;
  const [timers, asked] = [[], []];
  const begun = begin(
    () => new Promise((resolve) => asked.push(resolve)),
    (act, time, value) => timers.push({ at: now + time, act: () => act(value) }));
  const settle = async () => { for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate); };
  return {
    ...begun,
    async answer(text) {
      await settle();
      for (const resolve of asked.splice(0)) resolve(new Response(text, { status: 200 }));
      await settle();
    },
    async pass(time) {
      await settle();
      now += time;
      for (const timer of timers.splice(0)) (timer.at <= now ? timer.act() : timers.push(timer));
      await settle();
    },
  };
}

test("a page that was set aside isn't shown just because the server is slow", async () => {
  const { ask, caches, answer, pass } = beginSlowly();
  await (await caches.open("aged")).put("/shift/Harbour", new Response("of Kari"));
  const shown = ask("/shift/Harbour");
  await pass(4000);
  await answer("of Ole");
  assert.equal(await shown, "of Ole");
});

for (const form of ["/login", "/logout"]) {
  test(`a page that comes only after ${form} was sent isn't kept`, async () => {
    const { ask, caches, answer, pass } = beginSlowly();
    const shown = ask("/shift/Harbour");
    await ask(form, { method: "POST" });
    await answer("of Kari");
    await pass(2000);
    assert.equal(await shown, "of Kari");
    assert.equal(await (await caches.open("pages")).match("/shift/Harbour"), undefined);
    const next = ask("/shift/Harbour");
    await answer("of Ole");
    await pass(2000);
    assert.equal(await next, "of Ole");
    assert.equal(await (await (await caches.open("pages")).match("/shift/Harbour")).text(), "of Ole");
  });
}

for (const form of ["/login", "/logout"]) {
  test(`a page that is asked for while ${form} is being answered isn't kept`, async () => {
    const { ask, caches, answer, pass, listeners } = beginSlowly();
    const load = () => {
      const works = [];
      listeners.get("message")({ data: "/shift/Harbour", waitUntil: (work) => works.push(work) });
      return Promise.all(works);
    };
    const kept = async () => (await (await caches.open("pages")).match("/shift/Harbour"))?.text();
    await ask(form, { method: "POST" });
    const before = load();
    await answer("of Kari");
    await before;
    assert.equal(await kept(), undefined);
    // This one is answered only after the page that follows the form has been asked for.
    const late = load();
    const page = ask("/");
    await answer("of Kari");
    await late;
    assert.equal(await kept(), undefined);
    const next = load();
    await answer("of Ole");
    await next;
    assert.equal(await kept(), "of Ole");
    await pass(2000);
    await page;
  });
}

test("an answer that comes too late to be shown is kept for the next time", async () => {
  const { ask, caches, answer, pass, listeners } = beginSlowly();
  await (await caches.open("pages")).put("/shift/Harbour", new Response("kept"));
  let response;
  const works = [];
  // Loaded again on purpose.
  listeners.get("fetch")({
    request: { url: "https://steward/shift/Harbour", method: "GET", mode: "navigate", cache: "no-cache" },
    waitUntil: (work) => works.push(work), respondWith: (it) => { response = it; },
  });
  await pass(4000);
  assert.equal(await (await response).text(), "kept");
  await answer("fresh");
  await Promise.all(works);
  assert.equal(await (await (await caches.open("pages")).match("/shift/Harbour")).text(), "fresh");
});

test("a page that was set aside stays while nobody is logged in", async () => {
  const { ask, caches } = begin(async () => {
    const response = new Response("log in", { status: 200 });
    Object.defineProperty(response, "redirected", { value: true });
    return response;
  });
  await (await caches.open("pages")).put("/shift/Harbour", new Response("of Kari"));
  await ask("/login", { method: "POST" });
  await ask("/login");
  assert.equal(await (await caches.match("/shift/Harbour")).text(), "of Kari");
});

test("whoever logs out, here or everywhere, leaves no page behind", async () => {
  const { ask, caches } = begin(async () => new Response(""));
  for (const path of ["/logout", "/log-ins/end", "/log-ins/0192/end"]) {
    for (const name of ["pages", "aged"]) {
      await (await caches.open(name)).put("/shift/Harbour", new Response("kept"));
    }
    await ask(path, { method: "POST" });
    assert.equal(await caches.match("/shift/Harbour"), undefined, path);
  }
});

test("what is ticked goes to the server without waiting for the service worker", async () => {
  const { listeners } = begin(async () => new Response(""));
  let rules = [];
  const works = [];
  listeners.get("install")({
    addRoutes: (all) => { rules = Array.from(all); }, waitUntil: (work) => works.push(work),
  });
  await Promise.all(works);
  const bySource = (source) => rules.filter((rule) => rule.source === source)
    .map(({ condition }) => condition.urlPattern);
  assert.deepEqual(
    bySource("network").filter((path) => path.startsWith("/operations")),
    ["/operations", "/operations/*"]);
  // Forms and pages are not among them: it has to see those.
  for (const path of bySource("network")) assert.doesNotMatch(path, /^\/(login|logout|shift\/\*)?$/);
});
