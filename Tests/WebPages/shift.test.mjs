// The page of the checklist, with what a browser has around it: node --test Tests/WebPages
import assert from "node:assert/strict";
import { test } from "node:test";
import { BrowserBase } from "../../Services/web-service/Web/copy.js";
import { Database } from "./database.mjs";
import { failures, makePage } from "./page.mjs";

const { setTimeout: wait } = globalThis;
/** Each look at this clock is too late for the second press of a double tap. */
let steady = 0;
performance.now = () => steady += 400;
/** How often the page was loaded again. */
let reloads = 0;
const database = new Database();
const locks = { request: async (_, options, act = options) => act({}) };
Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
Object.assign(globalThis, {
  words: new Proxy({}, { get: (_, name) => (name === "areas" ? {} : String(name)) }),
  document: makePage(["shift", "sending"]), indexedDB: database, addEventListener() {},
  requestAnimationFrame: (act) => setImmediate(act), setInterval() {},
  location: { pathname: "/shift/Harbour", reload() { reloads += 1; } },
  // What the page does much later keeps no test waiting.
  setTimeout(act, time = 0) {
    const timer = wait(act, time);
    if (time >= 1000) timer.unref();
    return timer;
  },
});
const root = document.getElementById("shift");
Object.assign(root.dataset, {
  site: "7", called: "Harbour", account: "kari", zone: "Europe/Oslo", leads: "",
});

const task = (id) => ({
  id, parent: "", title: id, titles: {}, note: "", general: false, area: "",
  priority: "soon", timeCritical: false, securityRound: false, link: "",
});
/** The time before any shift began. */
const loaded = Date.now();
const snapshot = (id) => ({
  shift: { id, started: Date.now(), ended: 0, dayPart: 1, managerName: "Kari Nordmann", firstTravelPath: Date.now() + 3_600_000 },
  settings: {
    priorities: [{ name: "soon", title: "soon", titles: {} }], travelPathInterval: 30, grace: 5,
    escalateAfter: 10, lateAfter: 5, language: "en",
  },
  lists: [{
    id: "list", kind: "preShift", name: "List", names: {},
    sections: [{ id: "s", name: "Section", names: {}, tasks: ["a", "b"].map(task) }],
  }],
});
/** The shift that is open, what the service was asked, and what holds up its answers. */
const service = { open: "first", asked: [], log: [], hold: null, refuses: false, ended: 0 };
globalThis.fetch = async (path, { body } = {}) => {
  service.asked.push(path);
  if (path.includes("/snapshot")) return Response.json(snapshot(service.open));
  await service.hold;
  if (path.endsWith("/end")) return Response.json({});
  if (!body) {
    const { log, ended } = service;
    return Response.json({ operations: log, head: log.length, ended: path.includes("first") ? ended : 0 });
  }
  const { operations } = JSON.parse(body);
  if (!service.refuses) {
    for (const it of operations) {
      service.log.push({ ...it, sequence: service.log.length + 1, time: it.deviceTime });
    }
  }
  const refused = { kind: "refused", refusal: "no", refusalReason: "x", texts: {} };
  return Response.json({
    outcomes: operations.map(({ id }) => ({ id, ...(service.refuses ? refused : { kind: "takenIn" }) })),
    head: service.log.length,
  });
};

const settled = async () => {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
};
const until = async (isSo) => {
  const end = Date.now() + 60_000;
  while (!isSo() && Date.now() < end) await new Promise((give) => { wait(give, 5); });
  assert.ok(isSo());
};
const button = (text, within = document.body) =>
  within.querySelectorAll("button").find((it) => it.textContent.startsWith(text));
const form = () => root.querySelector("form");
const ends = () => service.asked.filter((path) => path.endsWith("/end")).length;

await import("../../Services/web-service/Web/shift.js");
await until(() => button("endShift"));
await settled();

test("the lists say of which site, part of the day, day and person the shift is", () => {
  const where = root.querySelector(".where").textContent.split(" · ");
  const { format } = new Intl.DateTimeFormat([], {
    weekday: "long", day: "numeric", month: "long", timeZone: "Europe/Oslo" });
  // It may be midnight meanwhile.
  assert.ok([loaded, Date.now()].map((time) => format(time)).includes(where[2]));
  assert.deepEqual([where[0], where[1], where[3]], ["Harbour", "dayShift", "Kari Nordmann"]);
});

test("whoever cancels while the last ticks are being sent doesn't end the shift", async () => {
  let answer;
  service.hold = new Promise((resolve) => { answer = resolve; });
  button("endShift").click();
  form().submit();
  await settled();
  button("cancel", form()).click();
  assert.equal(form(), null);
  service.hold = null;
  answer();
  await settled();
  assert.deepEqual([ends(), reloads], [0, 0]);
});

test("a shift is ended once, although its button is pressed twice", async () => {
  button("endShift").click();
  form().submit();
  form().submit();
  await until(() => reloads > 0);
  await settled();
  assert.deepEqual([ends(), reloads], [1, 1]);
  button("cancel", form()).click();
});

/** Opens a list, and in it the form for a to-do. */
async function addTodo() {
  if (!button("addTodo")) button("todos").click();
  await settled();
  button("addTodo").click();
  return form();
}

test("a to-do of blanks isn't dropped without a word", async () => {
  const shown = await addTodo();
  const line = shown.querySelector("textarea");
  line.value = " \n ";
  shown.submit();
  await settled();
  assert.equal(form(), shown);
  assert.deepEqual([line.asked, line.value], [1, ""]);
  button("cancel", shown).click();
});

test("a form can be sent again after something in it has failed", async () => {
  const shown = await addTodo();
  shown.querySelector("textarea").value = "A bulb";
  const { getRandomValues } = crypto;
  crypto.getRandomValues = () => { throw new TypeError("once"); };
  shown.submit();
  await settled();
  crypto.getRandomValues = getRandomValues;
  assert.deepEqual(failures.splice(0).map(({ message }) => message), ["once"]);
  shown.submit();
  await until(() => !form());
  assert.ok(root.textContent.includes("A bulb"));
});

test("a refused operation stays, and the page says so, where dismissing it can't be kept", async () => {
  service.refuses = true;
  const shown = await addTodo();
  shown.querySelector("textarea").value = "A lamp";
  shown.submit();
  await until(() => button("dismiss"));
  const { within } = BrowserBase.prototype;
  BrowserBase.prototype.within = async () => { throw new DOMException("", "QuotaExceededError"); };
  button("dismiss").click();
  await settled();
  BrowserBase.prototype.within = within;
  assert.ok(document.getElementById("sending").textContent.includes("notKept"));
  button("dismiss").click();
  await until(() => !button("dismiss"));
  service.refuses = false;
});

test("a form that is opened while the next shift is being kept stays", async () => {
  if (!button("addTodo")) button("todos").click();
  const snapshots = () => service.asked.filter((path) => path.includes("/snapshot")).length;
  const before = snapshots();
  const { within } = BrowserBase.prototype;
  let go;
  const hold = new Promise((resolve) => { go = resolve; });
  BrowserBase.prototype.within = async function later(...all) {
    if (snapshots() > before) await hold;
    return within.apply(this, all);
  };
  Object.assign(service, { ended: Date.now(), open: "second" });
  document.dispatchEvent(new Event("live"));
  await until(() => snapshots() > before);
  await settled();
  const shown = await addTodo();
  go();
  await settled();
  BrowserBase.prototype.within = within;
  assert.equal(form(), shown);
  // Whoever leaves it sees the next shift.
  service.log = [];
  button("cancel", shown).click();
  await until(() => button("List"));
  assert.ok(!root.textContent.includes("A bulb"));
});

test("only those who lead the shift are offered to decide between marks", async () => {
  const time = Date.now();
  service.log.push(...["ok", "notOk"].map((finding, index) => ({
    id: String(index).padStart(32, "f"), device: `other${index}`, deviceSequence: 1, deviceTime: time,
    time, sequence: service.log.length + 1 + index, seen: 0, actor: "ole", actorName: "Ole", late: false,
    change: { mark: { list: "list", task: "a", finding, notApplicable: "" } },
  })));
  document.dispatchEvent(new Event("live"));
  await until(() => button("reviews"));
  const open = async () => {
    button("List").click();
    await settled();
    if (!root.textContent.includes("differently")) button("‹").click();
    assert.ok(root.textContent.includes("differently"));
  };
  delete root.dataset.leads;
  await open();
  assert.ok(!button("ok") && !button("notOk"));
  button("lists").click();
  assert.equal(button("reviews"), undefined);
  root.dataset.leads = "";
  await open();
  button("ok").click();
  await until(() => !root.textContent.includes("differently"));
  await settled();
  button("lists").click();
  assert.equal(button("reviews"), undefined);
});

/** Has others do something in the open shift, and waits until the page shows it. */
async function happens(changes, isShown) {
  const time = Date.now();
  for (const change of changes) {
    const sequence = service.log.length + 1;
    service.log.push({
      id: String(sequence).padStart(32, "e"), device: "till", deviceSequence: sequence, deviceTime: time,
      time, sequence, seen: 0, actor: "mia", actorName: "Mia", late: false, change,
    });
  }
  document.dispatchEvent(new Event("live"));
  await until(isShown);
}

test("crew members are offered to-dos of their areas only", async () => {
  const added = (title, area) => ({ addTodo: {
    title, section: "", area, priority: "soon", note: "", travelPath: "", number: 0, assignee: "", due: 0,
    photos: [],
  } });
  delete root.dataset.leads;
  Object.assign(root.dataset, { areas: "kitchen bar%20%26%20grill", name: "Ole" });
  button("todos").click();
  await happens(
    [added("Ours", "kitchen"), added("Ours too", "bar & grill"), added("Theirs", "service")],
    () => root.textContent.includes("Theirs"));
  const offered = (title) => {
    const card = root.querySelectorAll("section").find(
      (it) => it.querySelector("h2").textContent === title);
    return card.querySelectorAll("button").map((it) => it.textContent);
  };
  assert.deepEqual(offered("Ours"), ["done", "note"]);
  assert.deepEqual(offered("Ours too"), ["done", "note"]);
  assert.deepEqual(offered("Theirs"), []);
  // No area of the site is one of theirs.
  assert.equal(button("addTodo"), undefined);
  delete root.dataset.areas;
  button("lists").click();
  button("todos").click();
  assert.deepEqual(offered("Theirs"), ["done", "note"]);
  assert.ok(button("addTodo"));
  button("lists").click();
  root.dataset.leads = "";
  const ids = service.log.filter(({ change }) => change.addTodo).map(({ id }) => (
    id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")));
  await happens(
    ids.map((todo) => ({ markTodo: { todo, mark: "removed" } })), () => button("todos0"));
});

test("crew members are offered of a task what the shift manager lets them do", async () => {
  const all = ["ok", "notOk", "unmark", "notApplicable", "note"];
  const offered = () => all.filter((text) => button(text));
  delete root.dataset.leads;
  delete root.dataset.areas;
  const letCrew = (may, account = "") => happens([{ letCrew: { list: "list", may, account } }], () => true)
    .then(settled);
  button("List").click();
  await settled();
  assert.deepEqual(offered(), []);
  assert.ok(root.textContent.includes("onlyLook"));
  await letCrew(1);
  assert.deepEqual(offered(), ["ok", "unmark"]);
  await letCrew(2, "ole");
  assert.deepEqual(offered(), all);
  await letCrew(0, "Ole");
  assert.deepEqual(offered(), []);
  Object.assign(root.dataset, { areas: "kitchen" });
  await letCrew(2, "ole");
  assert.deepEqual(offered(), []);
  root.dataset.leads = "";
  button("lists").click();
  button("List").click();
  assert.deepEqual(offered(), all);
  delete root.dataset.areas;
  button("lists").click();
});

test("buttons work again although the browser never says whether it has kept something", async () => {
  const { within } = BrowserBase.prototype;
  BrowserBase.prototype.within = () => new Promise(() => {});
  button("setOut").click();
  await settled();
  button("List").click();
  assert.ok(button("setOut"));
  steady += 10_000;
  button("List").click();
  await settled();
  BrowserBase.prototype.within = within;
  assert.equal(button("setOut"), undefined);
});

test("whoever doesn't lead the shift is offered nothing that only those who lead it may do", async () => {
  const only = ["endShift", "setOut", "change"];
  const offered = async () => {
    button("lists")?.click();
    await settled();
    const all = only.filter((name) => button(name));
    button("todos").click();
    await settled();
    return [...all, ...only.filter((name) => button(name))];
  };
  button("lists")?.click();
  const shown = await addTodo();
  shown.querySelector("textarea").value = "A lamp";
  shown.submit();
  await until(() => form() === null && root.textContent.includes("A lamp"));
  assert.deepEqual(await offered(), only);
  delete root.dataset.leads;
  assert.deepEqual(await offered(), []);
  assert.ok(button("done") && root.textContent.includes("A lamp"));
  root.dataset.leads = "";
});

test("open to-dos come first, say if they are overdue, and take notes", async () => {
  for (const title of ["A chair", "A table"]) {
    const shown = await addTodo();
    shown.querySelector("textarea").value = title;
    shown.submit();
    await until(() => form() === null && root.textContent.includes(title));
  }
  const cards = () => root.querySelectorAll(".todo").map((it) => it.querySelector("h2").textContent);
  button("done").click();
  await until(() => cards().at(-1) === "A chair");
  assert.deepEqual(cards(), ["A lamp", "A table", "A chair"]);

  button("note").click();
  form().querySelector("textarea").value = "The hall's";
  form().submit();
  await until(() => form() === null && root.textContent.includes("“The hall's”"));

  button("change").click();
  await until(() => form());
  form().querySelector("#due").value = "2026-01-01T10:00";
  form().submit();
  await until(() => form() === null && root.textContent.includes("due"));
  assert.ok(!root.textContent.includes("overdue"));
  const { now } = Date;
  Date.now = () => now() + 600_000;
  button("lists").click();
  assert.ok(button("todos2overdue: 1"));
  button("todos").click();
  assert.equal(root.querySelectorAll(".badge").length, 1);
  assert.equal(root.querySelector(".badge").textContent, "overdue");
  Date.now = now;
});

test("a travel path that is due comes before the lists", () => {
  const places = () => {
    if (!button("endShift")) button("lists").click();
    const shown = root.all.map((it) => it.dataset.key);
    return [shown.indexOf("travelPath"), shown.indexOf("list")];
  };
  const { now } = Date;
  const [later, list] = places();
  assert.ok(later > list && list >= 0);
  Date.now = () => now() + 3_700_000;
  button("todos").click();
  const [first, next] = places();
  Date.now = now;
  assert.ok(first >= 0 && first < next);
});

test("no listener of the page has failed", () => assert.deepEqual(failures, []));
