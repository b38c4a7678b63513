// The page of a ride, with what a browser has around it: node --test Tests/WebPages
import assert from "node:assert/strict";
import { test } from "node:test";

/** As much of an element as the page uses. */
class Element {
  childNodes = [];
  dataset = {};
  attributes = {};
  value = "";
  classList = { toggle() {}, remove() {} };
  #acts = [];
  constructor(tag) { this.tag = tag; }
  get textContent() { return this.childNodes.map((it) => it.textContent).join(""); }
  setAttribute(name, value) {
    this.attributes[name] = value;
    if (name === "value") this.value = value;
  }
  append(...nodes) { this.childNodes.push(...nodes); }
  get lastChild() { return this.childNodes.at(-1); }
  replaceChildren(...nodes) { this.childNodes = nodes; }
  isEqualNode() { return false; }
  addEventListener(_, act) { this.#acts.push(act); }
  click() { for (const act of this.#acts) act(); }
  focus() {}
  querySelector(selector) {
    const named = this.all.find((it) => `.${it.attributes.class}` === selector);
    return named ?? this.querySelectorAll("button")[0] ?? this.childNodes.at(-1);
  }
  get all() {
    return this.childNodes.flatMap((it) => (it instanceof Element ? [it, ...it.all] : []));
  }
  querySelectorAll(tag) {
    return this.childNodes.flatMap((it) => (
      it instanceof Element ? [...(it.tag === tag ? [it] : []), ...it.querySelectorAll(tag)] : []));
  }
}

const kept = (journey) => JSON.stringify({ positions: [{ time: 1 }], batch: null, journey });
const texts = new Map([["ride/kari", kept("r")]]);
const localStorage = {
  getItem: (key) => texts.get(key) ?? null,
  setItem: (key, text) => texts.set(key, text),
  removeItem: (key) => texts.delete(key),
};
const root = new Element("main");
root.dataset.account = "kari";
const field = new Element("input");
/** The urgent alerts that the page shows. */
let urgent = [];
const newPage = () => Object.assign(new EventTarget(), {
  querySelectorAll: () => urgent,
  getElementById: (id) => (id === "ride" ? root : id === "stop" ? field : null),
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
  words: new Proxy({}, { get: (_, name) => String(name) }), document: newPage(), localStorage,
  addEventListener() {},
});

const button = (text) => root.querySelectorAll("button").find((it) => it.textContent === text);
const settled = async () => {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
};

test("an end that was refused is sent anew, and positions no longer are", async () => {
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
  const again = async () => {
    now += 30_000;
    tick();
    await settled();
  };
  await import("../../Services/web-service/Web/ride.js");

  button("endRide").click();
  button("endRideSure").click();
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
  assert.deepEqual(waiting, []);
  assert.deepEqual(new Set(others), new Set(["/ride/current"]));
  assert.ok(root.textContent.includes("arrived"));
  assert.equal(texts.size, 0);
});

/** The sound of a device, on a clock of its own. */
const audio = { time: 0, state: "running", made: [] };
class Source {
  frequency = {};
  connect(next) { return next; }
  start(time) {
    this.begin = time;
    audio.made.push(this);
  }
  stop(time = audio.time) { this.end = Math.min(time, this.end ?? Infinity); }
}
class Gain {
  gain = { setValueAtTime() {} };
  connect(next) { return next; }
}
performance.now = () => now;
globalThis.AudioContext = class {
  get state() { return audio.state; }
  get currentTime() { return audio.time; }
  async resume() { if (audio.resume) await audio.resume(); }
  createOscillator() { return new Source(); }
  createGain() { return new Gain(); }
};
const pitches = new Map([[880, "getReady"], [1320, "now"]]);
/** What is heard at this moment. */
const heard = () => (audio.state !== "running" ? [] : audio.made
  .filter(({ begin, end }) => begin <= audio.time && audio.time < end)
  .map(({ frequency }) => pitches.get(frequency.value)).filter(Boolean));

/** Time passes, and the page runs at the end of it. */
async function pass(seconds, { audible = seconds } = {}) {
  now += seconds * 1000;
  audio.time += audible;
  tick();
  await settled();
}

let pages = 0;
/** The answer with the stops that are offered before anything is typed. */
let offered = { stops: [{ id: "pier", feed: "f", name: "Pier" }] };
/** Loads the page anew, without a ride, and chooses the first stop that it offers. */
async function choose() {
  globalThis.fetch = async (path) => Response.json({ now, ...path.startsWith("/ride/stops") && offered });
  await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
  await settled();
  root.querySelectorAll("button")[0].click();
}

/**
 * Loads the page anew, and begins a ride in it.
 *
 * @param answer returns what the server knows of the ride; null while there is no network.
 * @param sound the state of the sound when it begins, and what the browser does to resume it.
 */
async function ride(answer, sound = {}) {
  globalThis.document = newPage();
  delete root.dataset.stage;
  Object.assign(audio, { time: 0, state: "running", made: [], resume: null, ...sound });
  await choose();
  globalThis.fetch = async (path, { body } = {}) => {
    if (path === "/ride/current") return Response.json({ now });
    const journey = answer(path, body && JSON.parse(body));
    if (!journey) throw new TypeError("no network");
    return Response.json({ journey: { id: "r", stop: { name: "Pier" }, ...journey }, now });
  };
  button("start").click();
  await settled();
}

test("“get off” sounds although nobody has acknowledged “get ready”", async () => {
  let journey = { stage: "riding", due: now + 60_000, remaining: 240_000, notice: 180_000 };
  await ride(() => journey);
  assert.deepEqual(heard(), []);
  journey = { stage: "getReady", due: now + 80_000 };
  await pass(30);
  assert.deepEqual(heard(), ["getReady"]);
  // It is due sooner than it was said before.
  journey = { stage: "getReady", due: now + 30_000 };
  await pass(20);
  assert.deepEqual(heard(), ["getReady"]);
  journey = null;
  // The page itself may not run by then.
  audio.time += 11;
  assert.ok(heard().includes("now"));
  audio.time -= 11;
  await pass(11);
  assert.deepEqual(heard(), ["now"]);
  journey = { stage: "now", due: 0 };
  await pass(30);
  assert.deepEqual(heard(), ["now"]);
  assert.equal(audio.made.filter(({ end }) => end > audio.time).length, 1);
});

test("an alarm sounds until somebody acknowledges it", async () => {
  let journey = { stage: "getReady", due: now + 3_600_000 };
  await ride(() => journey);
  journey = null;
  for (let second = 0; second < 500; second += 1) {
    await pass(1);
    assert.deepEqual(heard(), ["getReady"], `${second} s`);
  }
  button("ok").click();
  await pass(1);
  assert.deepEqual(heard(), []);
});

test("a ride is ended by a second tap on a button that asks for it, and one tap is forgotten", async () => {
  const ends = [];
  let isOnline = true;
  await ride((path, body) => {
    if (!isOnline) return null;
    if (path === "/ride/r/finish") ends.push(body.id);
    return { stage: "riding", due: now + 3_600_000 };
  });

  button("endRide").click();
  await settled();
  assert.equal(ends.length, 0);
  assert.ok(button("endRideSure") && !button("endRide"));
  await pass(6);
  assert.ok(button("endRide") && !button("endRideSure"));
  isOnline = false;
  button("endRide").click();
  button("endRideSure").click();
  await settled();
  isOnline = true;
  await pass(30);

  assert.equal(ends.length, 1);
  assert.ok(root.textContent.includes("arrived"));
});

test("of the urgent alerts only those about this ride are marked as said by the page", async () => {
  const alert = (ride) => ({
    dataset: { ride },
    classList: { toggle(_, isOn) { this.isOwn = isOn; } },
  });
  urgent = ["r", "another", undefined].map(alert);
  await ride(() => ({ stage: "now", due: 0 }));
  assert.deepEqual(urgent.map((it) => it.classList.isOwn), [true, false, false]);

  urgent = ["another", "r"].map(alert);
  document.dispatchEvent(new Event("part"));
  assert.deepEqual(urgent.map((it) => it.classList.isOwn), [false, true]);
  urgent = [];
});

test("whoever has heard the page is told to get ready by no other channel", async () => {
  const heard = [];
  let isFound = false;
  await ride(() => ({ stage: "getReady", due: now + 3_600_000 }));
  const answer = globalThis.fetch;
  globalThis.fetch = async (path, options) => {
    if (path !== "/ride/r/acknowledge") return answer(path, options);
    heard.push(options.body);
    return Response.json({ isFound, now });
  };
  await pass(30);
  assert.deepEqual(heard, []);
  button("ok").click();
  await settled();
  isFound = true;
  // The notifier may not have the alert yet.
  await pass(30);
  await pass(30);
  assert.deepEqual(heard, ["{}", "{}"]);
});

test("the page says that sound is interrupted, and rings in time once it is back", async () => {
  let journey = { stage: "riding", due: now + 120_000 };
  await ride(() => journey);
  journey = null;
  audio.state = "interrupted";
  audio.resume = () => Promise.reject(new DOMException("a call", "InvalidStateError"));
  await pass(10, { audible: 0 });
  assert.ok(root.textContent.includes("cannotRing"));
  // It goes on by itself after the call.
  audio.resume = async () => { audio.state = "running"; };
  for (let turn = 0; turn < 20; turn += 1) await pass(1, { audible: 0 });
  assert.ok(!root.textContent.includes("cannotRing"));
  audio.time += 89;
  assert.deepEqual(heard(), []);
  audio.time += 2;
  assert.deepEqual(heard(), ["getReady"]);
});

test("the page rings in time after the clock of its sound stood still without a word", async () => {
  let journey = { stage: "riding", due: now + 120_000 };
  await ride(() => journey);
  journey = null;
  now += 60_000;
  document.dispatchEvent(new Event("visibilitychange"));
  audio.time += 61;
  assert.deepEqual(heard(), ["getReady"]);
  audio.time -= 61;
  // A page that was never hidden notices when it is due.
  audio.made = [];
  await pass(61, { audible: 0 });
  assert.deepEqual(heard(), ["getReady"]);
});

test("a ride begins although the browser doesn't say whether it allows sound", async () => {
  let allow;
  const resume = () => new Promise((resolve) => {
    allow = () => { audio.state = "running"; resolve(); };
  });
  await ride(() => ({ stage: "riding", due: now + 120_000 }), { state: "suspended", resume });
  const hasBegun = () => root.dataset.stage === "riding" && root.textContent.includes("cannotRing");
  for (let turn = 0; turn < 6_000 && !hasBegun(); turn += 1) {
    await new Promise((resolve) => { setTimeout(resolve, 10); });
  }
  assert.equal(root.dataset.stage, "riding");
  assert.ok(root.textContent.includes("cannotRing"));
  allow();
  await pass(1);
  assert.ok(!root.textContent.includes("cannotRing"));
});

test("an answer that was long on its way makes no alarm late", async () => {
  const begun = now;
  let isSlow = false;
  await ride(() => {
    const journey = { stage: "riding", due: begun + 100_000 };
    if (isSlow) {
      // The server has said what time it is before that.
      now += 20_000;
      audio.time += 20;
    }
    return journey;
  });
  const { fetch } = globalThis;
  globalThis.fetch = async (...all) => {
    const asked = now;
    const { journey } = await (await fetch(...all)).json();
    return Response.json({ journey, now: asked });
  };
  isSlow = true;
  await pass(50);
  assert.equal(now, begun + 70_000);
  audio.time += 31;
  assert.deepEqual(heard(), ["getReady"]);
});

test("a start whose answer is lost begins one ride, and one that was refused is another", async () => {
  const ids = [];
  let isLost = true;
  await ride((path, { id }) => {
    ids.push(id);
    return isLost ? null : { stage: "riding" };
  });
  const { fetch } = globalThis;
  globalThis.fetch = async (path, { body }) => {
    if (path === "/ride/current") return Response.json({ now });
    ids.push(JSON.parse(body).id);
    return Response.json({ code: "conflict", message: "not now" }, { status: 409 });
  };
  button("start").click();
  await settled();
  globalThis.fetch = fetch;
  isLost = false;
  button("start").click();
  await settled();
  assert.equal(root.dataset.stage, "riding");
  const [first, second, third] = ids;
  assert.deepEqual([ids.length, second], [3, first]);
  assert.notEqual(third, first);
});

test("a ride that has begun in another tab is followed, and no second one begins", async () => {
  const begun = [];
  await ride((path) => {
    begun.push(path);
    return null;
  });
  begun.length = 0;
  const elsewhere = { id: "other", stop: { name: "Museum" }, stage: "riding" };
  globalThis.document = newPage();
  await choose();
  globalThis.fetch = async (path) => {
    begun.push(path);
    return Response.json({ journey: elsewhere, now });
  };
  button("start").click();
  await settled();
  assert.equal(begun[0], "/ride/current");
  assert.ok(!begun.includes("/ride"));
  assert.ok(root.textContent.includes("Museum") && root.textContent.includes("alreadyRiding"));
});

test("a start that is tried again first looks for a ride that has begun elsewhere", async () => {
  await ride(() => null);
  const [asked, elsewhere] = [[], { id: "other", stop: { name: "Museum" }, stage: "riding" }];
  let isKnown = false;
  globalThis.fetch = async (path) => {
    asked.push(path);
    if (!isKnown) throw new TypeError("no network");
    return Response.json({ journey: elsewhere, now });
  };
  button("start").click();
  await settled();
  isKnown = true;
  button("start").click();
  await settled();
  assert.deepEqual(asked.slice(0, 2), ["/ride/current", "/ride/current"]);
  assert.ok(!asked.includes("/ride"));
  assert.ok(root.textContent.includes("Museum") && root.textContent.includes("alreadyRiding"));
});

test("while positions are refused the page says why, and the ride goes on", async () => {
  const journey = { stage: "riding", due: now + 600_000 };
  await ride(() => journey);
  const { fetch } = globalThis;
  globalThis.fetch = async (path) => (path === "/ride/current"
    ? Response.json({ journey: { id: "r", stop: { name: "Pier" }, ...journey }, now })
    : Response.json({ code: "conflict", message: "the timetable is damaged" }, { status: 409 }));
  await pass(30);
  assert.ok(root.textContent.includes("the timetable is damaged"));
  assert.equal(root.dataset.stage, "riding");
  globalThis.fetch = fetch;
  await pass(300);
  assert.ok(!root.textContent.includes("the timetable is damaged"));
});

test("the positions of a ride that is over are deleted, and not sent to the next", async () => {
  const sent = [];
  const answer = (path, body) => {
    sent.push(...body.positions ?? []);
    return { stage: "riding" };
  };
  texts.set("ride/kari", kept("former"));
  await ride(answer);
  await pass(30);
  assert.deepEqual(sent, []);
  assert.ok(!texts.has("ride/kari"));
  // Another device has begun one meanwhile.
  texts.set("ride/kari", kept("former"));
  globalThis.fetch = async (path, { body } = {}) => {
    const journey = { id: "r", stop: { name: "Pier" }, ...answer(path, body ? JSON.parse(body) : {}) };
    return Response.json({ journey, now });
  };
  await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
  await pass(30);
  assert.deepEqual(sent, []);
  assert.ok(!texts.has("ride/kari"));
});

test("positions are recorded at once after the clock of the server was set back", async () => {
  let find;
  navigator.geolocation = { watchPosition: (found) => { find = found; }, clearWatch() {} };
  const sent = [];
  await ride((_, body) => {
    sent.push(...body.positions ?? []);
    return { stage: "riding" };
  });
  const { fetch } = globalThis;
  let back = 0;
  globalThis.fetch = async (...all) => {
    const answer = await (await fetch(...all)).json();
    return Response.json({ ...answer, now: answer.now - back });
  };
  const move = async () => {
    find({ coords: { latitude: 1, longitude: 2, accuracy: 5, speed: 10 }, timestamp: now });
    await pass(10);
  };
  await move();
  await move();
  back = 3_600_000;
  // The next answer says so.
  await pass(30);
  const before = sent.length;
  for (let turn = 0; turn < 6; turn += 1) await move();
  delete navigator.geolocation;
  const ages = sent.slice(before).map(({ time }) => Math.round((now - back - time) / 10_000));
  assert.ok(ages.length >= 3, `${ages}`);
  assert.ok(ages.every((age) => age >= 0 && age < 10), `${ages}`);
});

test("coarse positions are sent, and reported once none has counted for ten seconds", async () => {
  let find;
  navigator.geolocation = { watchPosition: (found) => { find = found; }, clearWatch() {} };
  const sent = [];
  await ride((_, body) => {
    sent.push(...body.positions ?? []);
    return { stage: "riding" };
  });
  const isTold = () => root.textContent.includes("coarse");
  const move = (accuracy) => find(
    { coords: { latitude: 1, longitude: 2, accuracy, speed: null }, timestamp: now });
  move(1_500);
  await pass(5);
  assert.ok(!isTold());
  move(101);
  await pass(5);
  assert.ok(isTold());
  // The first one that counts doesn't wait until another is wanted.
  move(100);
  assert.ok(!isTold());
  await pass(30);
  delete navigator.geolocation;
  assert.deepEqual(sent.map(({ accuracy }) => accuracy), [1_500, 100]);
});

test("whoever has ended a ride is no longer followed, even if the server learns of it later", async () => {
  const watches = new Map();
  let find = null;
  navigator.geolocation = {
    watchPosition: (found) => {
      find = found;
      watches.set(watches.size + 1, true);
      return watches.size;
    },
    clearWatch: (number) => watches.set(number, false),
  };
  let journey = { stage: "now", due: 0 };
  await ride(() => journey);
  find({ coords: { latitude: 1, longitude: 2, accuracy: 5, speed: 10 }, timestamp: now });
  journey = null;
  button("gettingOff").click();
  await settled();
  assert.deepEqual([...watches.values()], [false]);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual([...watches.values()], [false]);
  // The page is closed and opened again before there is a network.
  const paths = [];
  globalThis.document = newPage();
  Object.assign(audio, { time: 0, made: [] });
  globalThis.fetch = async (path) => {
    paths.push(path);
    return Response.json({ journey: { id: "r", stage: "now", due: 0, stop: { name: "Pier" } }, now });
  };
  await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
  assert.deepEqual(heard(), []);
  await pass(1);
  delete navigator.geolocation;
  assert.deepEqual(paths, ["/ride/current", "/ride/r/finish"]);
  assert.deepEqual([...watches.values()], [false]);
  assert.ok(root.textContent.includes("arrived"));
  assert.ok(!texts.has("ride/kari"));
});

test("after a ride the page asks whether its alerts were useful, until the answer is kept", async () => {
  let journey = { stage: "riding" };
  await ride(() => journey);
  journey = { stage: "finished" };
  await pass(30);
  assert.ok(root.textContent.includes("wasUseful"));
  const said = [];
  let isLost = true;
  globalThis.fetch = async (path, { body }) => {
    said.push([path, JSON.parse(body).useful]);
    if (isLost) throw new TypeError("no network");
    return Response.json({ journey: { id: "r", stage: "finished" }, now });
  };
  button("useless").click();
  await settled();
  assert.ok(root.textContent.includes("noContact") && root.textContent.includes("wasUseful"));
  isLost = false;
  button("useless").click();
  await settled();
  assert.ok(root.textContent.includes("thanks") && !root.textContent.includes("noContact"));
  assert.deepEqual(said, [["/ride/r/feedback", false], ["/ride/r/feedback", false]]);
  button("other").click();
  assert.ok(root.textContent.includes("stopSearch"));
});

test("whoever has chosen a stop reads toward where it is, and the focus follows", async () => {
  const focused = [];
  Element.prototype.focus = function () { focused.push(this.textContent); };
  globalThis.document = newPage();
  const pier = {
    id: "pier", feed: "f", name: "Pier", code: "12", routes: ["7"], headsigns: ["Hill"],
  };
  const others = offered;
  offered = { stops: [pier] };
  try {
    await choose();
    assert.ok(root.textContent.startsWith("Pier (12)line · toward"));
    assert.equal(focused.at(-1), "Pier (12)");
  } finally {
    offered = others;
    Element.prototype.focus = () => {};
  }
});

test("what was said of a ride is sent after a new log-in if the log-in had ended", async () => {
  let journey = { stage: "riding" };
  await ride(() => journey);
  journey = { stage: "finished" };
  await pass(30);
  const [said, gone] = [[], []];
  globalThis.location = { assign: (path) => gone.push(path) };
  let isLoggedIn = false;
  globalThis.fetch = async (path, { body } = {}) => {
    if (!isLoggedIn) return Response.json({ message: "" }, { status: 401 });
    if (body) said.push([path, JSON.parse(body)]);
    return Response.json({ now });
  };
  root.querySelectorAll("textarea")[0].value = "too late";
  try {
    button("useless").click();
    // The page is left by a timer.
    while (gone.length === 0) await new Promise((give) => { setTimeout(give, 1); });
    assert.deepEqual(gone, ["/login?next=%2Fride"]);
    const { id } = JSON.parse(texts.get("ride-rating/kari"));
    isLoggedIn = true;
    root.replaceChildren();
    await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
    await settled();
    assert.deepEqual(said, [["/ride/r/feedback", { id, useful: false, comment: "too late" }]]);
    assert.ok(root.textContent.includes("thanks"));
    assert.ok(!texts.has("ride-rating/kari"));
  } finally {
    delete globalThis.location;
  }
});

test("a ride whose start is answered only after its end is over", async () => {
  const watches = [];
  navigator.geolocation = { watchPosition: (found) => watches.push(found), clearWatch() {} };
  tick = null;
  await ride(() => ({ stage: "finished" }));
  delete navigator.geolocation;
  assert.ok(root.textContent.includes("arrived"));
  assert.deepEqual([watches, tick], [[], null]);
});

test("the screen is let go although the browser kept it on only after the end of the ride", async () => {
  let [give, released] = [null, 0];
  navigator.wakeLock = { request: () => new Promise((resolve) => { give = resolve; }) };
  let journey = { stage: "riding" };
  await ride(() => journey);
  journey = { stage: "finished" };
  await pass(30);
  give({ release: () => { released += 1; } });
  await settled();
  delete navigator.wakeLock;
  assert.ok(root.textContent.includes("arrived"));
  assert.equal(released, 1);
});

test("the page of a ride opens in a browser that keeps nothing for it", async () => {
  globalThis.fetch = async () => Response.json({ now });
  const refused = () => { throw new DOMException("no storage", "SecurityError"); };
  try {
    for (const found of [{ get: refused }, { value: null }]) {
      Object.defineProperty(globalThis, "localStorage", { ...found, configurable: true });
      root.replaceChildren();
      await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
      assert.ok(root.textContent.includes("stopSearch"));
    }
  } finally {
    Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
  }
});

test("what is old is deleted by the time of the server, whatever the clock of the device shows", async () => {
  const day = 86_400_000;
  const left = Object.defineProperties({
    "ride/ole": JSON.stringify({ positions: [{ time: now - 3_600_000 }] }),
    "ride/mia": JSON.stringify({ positions: [{ time: now - 2 * day }] }),
  }, Object.fromEntries(Object.entries({
    getItem(key) { return this[key] ?? null; }, setItem(key, text) { this[key] = text; },
    removeItem(key) { delete this[key]; },
  }).map(([name, value]) => [name, { value }])));
  Object.defineProperty(globalThis, "localStorage", { value: left, configurable: true });
  const right = now;
  globalThis.fetch = async () => Response.json({ now: right });
  now += 3 * day;
  try {
    await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
    assert.deepEqual(Object.keys(left), ["ride/ole"]);
    // Nobody knows what is old until the server has said the time.
    globalThis.fetch = async () => { throw new TypeError("no network"); };
    await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
    assert.deepEqual(Object.keys(left), ["ride/ole"]);
  } finally {
    now = right;
    Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
  }
});

test("the page of a ride names the stop with its sign and where it goes", async () => {
  const stop = { id: "pier", name: "Pier", code: "12", routes: ["7", "9"], headsigns: ["Hill"] };
  await ride(() => ({ stage: "riding", due: now + 600_000, stop, route: "9" }));
  assert.ok(root.textContent.includes("Pier (12)"));
  assert.ok(root.textContent.includes("line · toward"));
});

test("before anything is typed the person's own stops are offered, favourites first", async () => {
  const others = offered;
  offered = {
    stops: [{ id: "a", feed: "f", name: "Home" }, { id: "b", feed: "g", name: "Work" }], favourites: 1,
  };
  globalThis.document = newPage();
  try {
    await choose();
    globalThis.document = newPage();
    const asked = [];
    globalThis.fetch = async (path) => {
      asked.push(path);
      return Response.json({ now, ...path.startsWith("/ride/stops") && offered });
    };
    await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
    await settled();
    assert.deepEqual(asked, ["/ride/current", "/ride/stops?text="]);
    const [home, work] = root.querySelectorAll("button").map((it) => it.textContent);
    // The timetables are named because there are two.
    assert.equal(home, "Homefavourite · f");
    assert.equal(work, "Workg");
  } finally {
    offered = others;
  }
});

test("a stop is made a favourite and no longer, each time by one command however often it is sent", async () => {
  globalThis.document = newPage();
  await choose();
  const sent = [];
  /** What becomes of a command: "lost", "refused" or "done". */
  let fate = "lost";
  globalThis.fetch = async (path, { body } = {}) => {
    const mark = JSON.parse(body);
    sent.push([path, mark]);
    if (fate === "lost") throw new TypeError("no network");
    return fate === "refused"
      ? Response.json({ code: "conflict", message: "too many" }, { status: 409 })
      : Response.json({ favourite: mark.favourite, now });
  };
  const press = async (next) => {
    fate = next;
    button("favourite").click();
    await settled();
    return button("favourite").attributes["aria-pressed"];
  };

  assert.equal(button("favourite").attributes["aria-pressed"], "false");
  assert.equal(await press("lost"), "false");
  assert.ok(root.textContent.includes("noContact"));
  assert.equal(await press("refused"), "false");
  assert.ok(root.textContent.includes("too many"));
  assert.equal(await press("done"), "true");
  assert.ok(!root.textContent.includes("too many"));
  assert.equal(await press("done"), "false");

  assert.ok(sent.every(([path, { feed, stopId }]) => path === "/ride/stops" && feed === "f" && stopId === "pier"));
  assert.deepEqual(sent.map(([, { favourite }]) => favourite), [true, true, true, false]);
  const [lost, refused, done, undone] = sent.map(([, { id }]) => id);
  assert.equal(refused, lost);
  assert.equal(new Set([lost, done, undone]).size, 3);
  // A ride can still be started.
  assert.ok(button("start"));
});

test("a stop that is a favourite is shown as one", async () => {
  const others = offered;
  offered = { ...others, favourites: 1 };
  globalThis.document = newPage();
  try {
    await choose();
    assert.equal(button("favourite").attributes["aria-pressed"], "true");
  } finally {
    offered = others;
  }
});

test("what an earlier version kept of other rides is neither offered nor kept", async () => {
  texts.set("ride-stops/kari", JSON.stringify([{ id: "old", feed: "f", name: "Old" }]));
  globalThis.document = newPage();
  globalThis.fetch = async () => Response.json({ now });
  root.replaceChildren();
  await import(`../../Services/web-service/Web/ride.js?${pages += 1}`);
  await settled();
  assert.ok(!root.textContent.includes("Old"));
  texts.delete("ride-stops/kari");
});

test("a ride begins with the minutes that were typed, or as the settings say", async () => {
  const sent = [];
  for (const minutes of ["3", "7"]) {
    globalThis.document = newPage();
    await choose();
    globalThis.fetch = async (path, { body } = {}) => {
      if (path === "/ride") sent.push(JSON.parse(body).notice);
      const journey = path === "/ride/current" ? undefined
        : { id: "r", stage: "riding", stop: { name: "Pier" } };
      return Response.json({ journey, now });
    };
    root.querySelectorAll("input")[0].value = minutes;
    button("start").click();
    await settled();
  }
  assert.deepEqual(sent, [0, 420_000]);
});

/** Has the server say what has become of the alerts of the ride. */
function alertsOf(answer) {
  const { fetch } = globalThis;
  globalThis.fetch = async (path, options) => (path.startsWith("/ride/r/alerts")
    ? Response.json({ acknowledged: {}, notices: [], now, ...answer() }) : fetch(path, options));
}
const part = async () => {
  document.dispatchEvent(new Event("part"));
  await settled();
};

for (const stage of ["getReady", "now", "passed"]) {
  test(`acknowledging “${stage}” elsewhere stops the sound, and nothing less does`, async () => {
    const began = now;
    let journey = { stage: "riding", started: began, due: now + 3_600_000 };
    let acknowledged = { [stage]: began - 1 };
    await ride(() => journey);
    alertsOf(() => ({ acknowledged }));
    await pass(30);
    journey = { stage, started: began, due: 0 };
    await pass(30);
    const isHeard = () => audio.made.some(({ begin, end }) => begin <= audio.time && audio.time < end);
    // That of an earlier stop, or of another stage.
    for (acknowledged of [{ [stage]: began - 1 }, { riding: now }, {}]) {
      await part();
      assert.ok(isHeard() && root.dataset.stage === stage);
    }
    acknowledged = { [stage]: now };
    await part();
    assert.ok(!isHeard());
    await pass(20);
    assert.ok(!isHeard());
  });
}

test("an alarm rings on while nobody can say whether it was acknowledged", async () => {
  await ride(() => ({ stage: "getReady", due: now + 3_600_000 }));
  alertsOf(() => { throw new TypeError("no network"); });
  await part();
  await pass(5);
  assert.deepEqual(heard(), ["getReady"]);
});

test("a ride that has passed its stop goes on to the next one, and rings again there", async () => {
  const next = { id: "mill", name: "Mill", code: "4" };
  let journey = { stage: "passed", due: 0, stop: { id: "pier", name: "Pier" }, next, back: 1_250 };
  const sent = [];
  await ride((path, body) => {
    if (path !== "/ride/r/continue") return journey;
    sent.push(body);
    if (sent.length === 1) return null;
    journey = { stage: "riding", due: now + 600_000, stop: next };
    return journey;
  });
  assert.ok(root.textContent.includes("wayBack"));
  button("onward").click();
  await settled();
  assert.ok(root.textContent.includes("noContact"));
  button("onward").click();
  await settled();

  assert.deepEqual(sent[0], sent[1]);
  assert.equal(sent[0].stopId, "mill");
  assert.equal(sent[0].withoutAlerts, false);
  assert.ok(root.textContent.includes("Mill (4)") && !root.textContent.includes("wayBack"));
  assert.equal(root.dataset.stage, "riding");
  await pass(1);
  assert.equal(audio.made.filter(({ begin, end }) => begin <= audio.time && audio.time < end).length, 0);
  journey = { stage: "getReady", due: now + 600_000, stop: next };
  await pass(300);
  assert.deepEqual(heard(), ["getReady"]);
});

test("a late answer to riding on doesn't silence the alarm at the next stop", async () => {
  const next = { id: "mill", name: "Mill" };
  let journey = { stage: "passed", due: 0, stop: { id: "pier", name: "Pier" }, next, back: 500 };
  await ride(() => journey);
  const { fetch } = globalThis;
  let answer = () => {};
  globalThis.fetch = (path, options) => (path === "/ride/r/continue"
    ? new Promise((done) => { answer = done; }) : fetch(path, options));
  const isHeard = () => audio.made.some(({ begin, end }) => begin <= audio.time && audio.time < end);
  button("onward").click();
  await settled();
  const began = { id: "r", stage: "riding", due: now + 600_000, stop: next };
  journey = { stage: "getReady", due: now + 600_000, stop: next };
  await pass(60);
  assert.ok(isHeard());

  answer(Response.json({ journey: began, now }));
  await settled();

  assert.equal(root.dataset.stage, "getReady");
  assert.ok(isHeard());
});

test("whoever rides on without alerts hears none, and can still end the ride", async () => {
  let journey = { stage: "now", due: 0 };
  const sent = [];
  await ride((path, body) => {
    if (path === "/ride/r/continue") {
      sent.push(body);
      journey = { stage: "now", due: 0, silent: true };
    }
    return journey;
  });
  assert.deepEqual(heard(), ["now"]);
  button("onwardSilent").click();
  await settled();
  await pass(30);
  assert.equal(sent[0].withoutAlerts, true);
  assert.deepEqual(heard(), []);
  assert.ok(root.textContent.includes("silent") && !root.textContent.includes("getOff"));
  assert.ok(button("endRide") && !button("onwardSilent"));
});

test("a ride that continues at the command line falls silent here at once", async () => {
  let journey = { stage: "passed", due: 0, stop: { id: "pier", name: "Pier" } };
  await ride(() => journey);
  alertsOf(() => ({}));
  const isHeard = () => audio.made.some(({ begin, end }) => begin <= audio.time && audio.time < end);
  assert.ok(isHeard());
  journey = { stage: "riding", due: now + 600_000, stop: { id: "mill", name: "Mill" } };
  await part();
  await pass(1);
  assert.ok(!isHeard());
  assert.ok(root.textContent.includes("Mill"));
});

test("the page shows the ride's other alerts, which can be acknowledged there", async () => {
  await ride(() => ({ stage: "riding", due: now + 600_000 }));
  const notices = [
    { id: "w", title: "Wrong way", body: "Get off", needsAcknowledgement: true, link: "" },
    { id: "l", title: "Castle", body: "", link: "https://example.org", linkTitle: "More" },
    { id: "x", title: "Fort", body: "", link: "javascript:alert()", linkTitle: "Bad" },
  ];
  alertsOf(() => ({ notices }));
  await part();
  assert.ok(root.textContent.includes("Wrong way") && root.textContent.includes("More"));
  assert.ok(!root.textContent.includes("Bad"));
  const paths = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (path, options) => {
    if (!path.startsWith("/alerts/")) return fetch(path, options);
    paths.push(path);
    return { status: 0, ok: false, headers: new Headers() };
  };
  button("ok").click();
  await settled();
  assert.deepEqual(paths, ["/alerts/w/acknowledge"]);
  assert.ok(!root.textContent.includes("Wrong way") && root.textContent.includes("Castle"));
});

test("the end of a ride says whether its positions are kept", async () => {
  for (const [kept, text] of [[true, "positionsKept"], [false, "positionsDeleted"]]) {
    let journey = { stage: "riding", kept };
    await ride(() => journey);
    journey = { stage: "finished", kept };
    await pass(30);
    assert.ok(root.textContent.includes(`arrived ${text}`));
  }
});
