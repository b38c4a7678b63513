// The checklist on a phone: one task at a time, two large buttons, with or without a network. What is
// ticked is kept on this device before it is shown as kept; the courier sends it when it can.
import { BrowserJournal, WorkingCopy } from "./copy.js";
import { Courier, Refused, Unreachable } from "./courier.js";
import { Shift, Zone } from "./fold.js";
import { build, clock, say } from "./live.js";

const root = document.getElementById("shift");
const sending = document.getElementById("sending");
const { site, account, zone: zoneName } = root.dataset;
const zone = new Zone(zoneName);

/** Asks the server; throws what the courier understands. */
async function ask(path, body) {
  let response;
  try {
    const headers = { "Steward-Account": account };
    if (body) headers["Content-Type"] = "application/json";
    response = await fetch(path, {
      method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body),
    });
  } catch {
    throw new Unreachable(say("noService"));
  }
  if (response.status === 401) throw new Unreachable(say("loggedOut"));
  if (response.ok) return response.json();
  const isJSON = response.headers.get("Content-Type")?.startsWith("application/json");
  const fault = isJSON ? await response.json() : null;
  if (!fault || response.status >= 500) throw new Unreachable(say("noService"));
  throw new Refused(fault.code, fault.message);
}

const askCourier = (shift) => (kind, body) =>
  kind === "record"
    ? ask("/operations", body)
    : ask(`/operations/${encodeURIComponent(shift)}?${new URLSearchParams(body)}`);

/** A UUIDv7 as 32 hexadecimal digits. */
function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = Date.now();
  for (let index = 0; index < 6; index += 1) bytes[index] = (time / 2 ** (40 - 8 * index)) & 255;
  bytes[6] = 0x70 | (bytes[6] & 15);
  bytes[8] = 0x80 | (bytes[8] & 63);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const isDown = (error) => error instanceof Unreachable;

class Walk {
  #ordered;
  #rewindings;
  list = null;
  position = null;
  message = "";
  isSending = false;

  constructor(copy) {
    this.copy = copy;
    this.courier = new Courier(copy, askCourier(copy.shift.id));
    this.#begin();
  }

  #begin() {
    const { shift, settings, lists } = this.copy.snapshot;
    this.#ordered = new Shift(shift, settings, lists);
    this.#rewindings = this.copy.rewindings;
  }

  /** The operations in the service's order, with those that wait here on top. */
  get state() {
    if (this.copy.rewindings !== this.#rewindings) this.#begin();
    for (const operation of this.copy.operations.slice(this.#ordered.log.length)) {
      this.#ordered.apply(operation);
    }
    if (this.copy.waiting.length === 0) return this.#ordered;
    const { shift, settings, lists } = this.copy.snapshot;
    const state = new Shift(shift, settings, lists);
    for (const operation of this.copy.everything) state.apply(operation);
    return state;
  }

  /** Keeps a change, and only then shows it. */
  async keep(change) {
    try {
      await this.copy.append(change, { id: newID(), deviceTime: Date.now() });
      this.message = "";
    } catch {
      this.message = say("notKept");
      return false;
    }
    this.send();
    return true;
  }

  /** Sends and fetches; one tab at a time. */
  async send() {
    if (this.isSending) return;
    this.isSending = true;
    try {
      await navigator.locks.request(`courier/${this.copy.shift.id}`, async () => {
        await this.copy.catchUp();
        await this.courier.run();
      });
    } catch (error) {
      if (!isDown(error) && !(error instanceof Refused)) throw error;
    } finally {
      this.isSending = false;
      show();
    }
  }
}

/** The copy of the open shift: from the service if it can be reached, else what is kept here. */
async function open() {
  const base = await BrowserJournal.open();
  const known = new BrowserJournal(base, `open/${account}/${site}`);
  let snapshot = null;
  try {
    snapshot = await ask(`/shift/${encodeURIComponent(site)}/snapshot`);
  } catch (error) {
    if (!isDown(error)) throw error;
    const last = (await known.read(0)).at(-1);
    if (!last) throw error;
    return WorkingCopy.open(new BrowserJournal(base, `${account}/${last.shift}`), () => { throw error; });
  }
  const shift = snapshot.shift.id;
  const before = await known.read(0);
  if (before.at(-1)?.shift !== shift) await known.append(before.length, [{ shift }]);
  return WorkingCopy.open(
    new BrowserJournal(base, `${account}/${shift}`),
    async () => ({ device: `web-${newID().slice(-12)}`, snapshot }));
}

// What is shown

let walk = null;

const button = (name, text, press, attributes = {}) => {
  const element = build(["button", { type: "button", class: name, ...attributes }, text]);
  element.addEventListener("click", press);
  return element;
};

function show(...nodes) {
  if (!walk) return;
  showSending();
  if (nodes.length > 0) return root.replaceChildren(...nodes);
  // Not while something is being typed.
  if (root.querySelector("form")) return;
  const view = walk.list === null ? lists : walk.list === todoList ? todos : task;
  root.replaceChildren(...view());
}

function showSending() {
  const { waiting, refused } = walk.copy;
  const nodes = [];
  if (walk.message) nodes.push(build(["span", { class: "bad" }, walk.message]));
  else if (waiting.length === 0) nodes.push(build(["span", {}, say("allSent")]));
  else {
    const since = clock(waiting[0].deviceTime, zoneName);
    const why = walk.courier.denial ?? walk.courier.obstacle;
    const text = say("waiting", { count: waiting.length, clock: since });
    nodes.push(build(["span", { class: "waits" }, why ? `${text} · ${why}` : text]));
    if (walk.mayForget) nodes.push(build(["span", {}, say("mayForget")]));
  }
  if (walk.courier.obstacle === say("loggedOut")) nodes.push(logIn());
  for (const { operation, reason } of refused) {
    nodes.push(build(["span", { class: "bad" }, say("refused", { reason })]));
    nodes.push(button("quiet", say("dismiss"), async () => {
      await walk.copy.dismiss(operation.id);
      show();
    }));
  }
  sending.replaceChildren(...nodes);
}

/** Leads to the log-in and back. What waits here stays. */
const logIn = () => build(["a", {
  class: "button", href: `/login?next=${encodeURIComponent(location.pathname)}`,
}, say("logIn")]);

function lists() {
  const state = walk.state;
  const rows = state.templates.map((template) => {
    const { tasks, unchecked, notOk } = state.progress(template.id);
    const done = tasks - unchecked;
    const row = button("list", "", () => {
      walk.list = template.id;
      walk.position = nextOpen(state, -1) ?? first(state);
      show();
    });
    row.append(
      build(["span", { class: "name" }, state.name(template)]),
      build(["span", { class: notOk ? "count bad" : "count" }, say("progress", { done, count: tasks })]),
      build(["progress", { max: String(Math.max(1, tasks)), value: String(done), "aria-hidden": "true" }]));
    return row;
  });
  const open = state.todos.filter(({ mark }) => mark === "open").length;
  const todoRow = button("list", "", () => {
    walk.list = todoList;
    show();
  });
  todoRow.append(build(["span", { class: "name" }, say("todos")]),
    build(["span", { class: "count" }, String(open)]));
  return [build(["h1", {}, say("lists")]), ...rows, todoRow, travelPath(state)];
}

/** The list that is no checklist: what is to be done. */
const todoList = "#todos";

function travelPath(state) {
  const due = state.travelPathDue(Date.now());
  const next = state.nextTravelPath(Date.now());
  const text = due !== null ? say("pathDue", { clock: clock(due, zoneName) })
    : next !== null ? say("pathNext", { clock: clock(next, zoneName) }) : "";
  const own = state.travelPaths.findLast(({ logged, began }) =>
    logged === null && began?.device === walk.copy.device);
  const card = build(["section", { class: due === null ? "card round" : "card round due" },
    ["h2", {}, say("travelPath")], ["p", {}, text]]);
  const change = own ? { logTravelPath: { begun: own.begun, text: "" } } : { beginTravelPath: {} };
  card.append(button(own ? "main" : "", own ? say("back") : say("setOut"), async () => {
    await walk.keep(change);
    show();
  }));
  return card;
}

function todos() {
  const back = build(["header", {}]);
  back.append(button("quiet", say("lists"), () => { walk.list = null; show(); }));
  const all = walk.state.todos;
  const rows = all.map(({ id, title, section, priority, mark, taskNotes, notes }) => {
    const isOpen = mark === "open";
    const word = isOpen ? say("done") : say("openAgain");
    const row = build(["section", { class: isOpen ? "card todo" : "card todo done" },
      ["div", {}, ["h2", {}, title],
        ["p", { class: "where" }, [section, priority].filter(Boolean).join(" · ")],
        ...[...taskNotes, ...notes].map(({ text, stamp }) =>
          ["p", { class: "said" }, `“${text}” ${stamp.name}`])]]);
    row.append(button(isOpen ? "main" : "quiet", word, async () => {
      await walk.keep({ markTodo: { todo: id, mark: isOpen ? "done" : "open" } });
      show();
    }, { "aria-label": `${word}: ${title}` }));
    return row;
  });
  const empty = build(["p", { class: "empty" }, say("noTodo")]);
  return [back, build(["h1", {}, say("todos")]), ...(rows.length > 0 ? rows : [empty])];
}

const leaves = (state) => [...state.tasks.entries()].filter(([, listed]) =>
  listed.children.length === 0 && state.templates[listed.list].id === walk.list);
const first = (state) => leaves(state)[0]?.[0] ?? null;

/** The next task after a position that no one has marked, from the beginning again if need be. */
function nextOpen(state, after) {
  const open = leaves(state).filter(([position]) => state.state(position) === "unchecked")
    .map(([position]) => position);
  return open.find((position) => position > after) ?? open[0] ?? null;
}

function step(count) {
  const all = leaves(walk.state).map(([position]) => position);
  const index = all.indexOf(walk.position) + count;
  walk.position = all[Math.min(Math.max(index, 0), all.length - 1)];
  show();
}

async function mark(finding, notApplicable = "") {
  const position = walk.position;
  const { key } = walk.state.tasks[position];
  const [list, task] = [key.slice(0, key.indexOf("/")), key.slice(key.indexOf("/") + 1)];
  const isKept = await walk.keep({ mark: { list, task, finding, notApplicable } });
  if (isKept && (finding !== "unspecified" || notApplicable)) {
    walk.position = nextOpen(walk.state, position) ?? position;
    walk.isFinished = nextOpen(walk.state, position) === null;
  }
  show();
}

/** Asks for a line of text. */
function type(question, done) {
  const form = build(["form", { class: "typing" },
    ["h1", {}, ["label", { for: "line" }, question]],
    ["textarea", { id: "line", maxlength: "200", rows: "2", required: "" }],
    ["div", { class: "pair" },
      ["button", { type: "button" }, say("cancel")], ["button", { class: "main" }, say("save")]]]);
  form.querySelector("button").addEventListener("click", () => { form.remove(); show(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = form.querySelector("textarea").value.trim();
    form.remove();
    if (text) await done(text);
    show();
  });
  show(form);
  form.querySelector("textarea").focus();
}

function task() {
  const state = walk.state;
  const template = state.templates.find(({ id }) => id === walk.list);
  const listed = state.tasks[walk.position];
  if (!listed) return lists();
  const result = state.result(walk.position);
  const { tasks, unchecked } = state.progress(template.id);
  const due = state.dueTimes(zone).find(({ key }) => key === listed.key);
  const words = {
    ok: state.allowsNotOk(listed) ? say("ok") : say("done"), notOk: say("notOk"),
    notApplicable: say("notApplicable"),
  };
  const top = build(["header", {},
    ["p", { class: "where" }, `${state.name(template)} · ${state.name(state.sectionOf(listed))}`],
    ["progress", { max: String(Math.max(1, tasks)), value: String(tasks - unchecked), "aria-hidden": "true" }],
    ["p", { class: "where" }, say("progress", { done: tasks - unchecked, count: tasks })]]);
  top.prepend(button("quiet", say("lists"), () => { walk.list = null; show(); }));
  const parent = listed.parent === null ? [] : [["p", { class: "where" },
    state.title(state.tasks[listed.parent].task)]];
  const middle = build(["section", { class: listed.task.general ? "task general" : "task" },
    ...parent, ["h1", {}, state.title(listed.task)],
    ...(listed.task.general ? [["p", { class: "badge" }, "◎ " + say("general")]] : []),
    ...(due ? [["p", { class: due.overdue <= Date.now() ? "badge bad" : "badge" }, clock(due.due, zoneName)]] : []),
    ...(listed.task.note ? [["p", { class: "hint" }, listed.task.note]] : []),
    ...result.notes.map(({ text, stamp }) => ["p", { class: "said" }, `“${text}” ${stamp.name}`]),
    ...(result.shown && result.state !== "unchecked" ? [["p", { class: `marked ${result.state}` },
      [words[result.state], result.shown.reason, result.shown.stamp.name].filter(Boolean).join(" · ")]] : []),
    ...(walk.isFinished ? [["p", { class: "marked ok" }, say("finished")]] : [])]);
  const pair = build(["div", { class: "pair" }]);
  if (state.allowsNotOk(listed)) pair.append(button("bad big", say("notOk"), () => mark("notOk")));
  pair.append(button("good big", words.ok, () => mark("ok")));
  const small = build(["div", { class: "small" }]);
  small.append(
    button("quiet", "‹", () => step(-1), { "aria-label": say("previous") }),
    button("quiet", say("undo"), () => mark("unspecified"), result.shown ? {} : { disabled: "" }),
    button("quiet", say("notApplicable"), () => type(say("why"), (text) => mark("unspecified", text))),
    button("quiet", say("note"), () => type(say("note"), (text) => {
      const at = listed.key.indexOf("/");
      return walk.keep({ note: { list: listed.key.slice(0, at), task: listed.key.slice(at + 1), text } });
    })),
    button("quiet", "›", () => step(1), { "aria-label": say("next") }));
  const hand = build(["div", { class: "hand" }]);
  hand.append(small, pair);
  return [top, middle, hand];
}

/** Has this page kept, so that it opens without a network. */
async function keepPage() {
  if (!navigator.serviceWorker) return;
  const address = "/sw.js";
  const policy = globalThis.trustedTypes?.createPolicy("worker", {
    createScriptURL(text) {
      if (text !== address) throw new TypeError(text);
      return text;
    },
  });
  try {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address);
    (await navigator.serviceWorker.ready).active.postMessage(location.pathname);
  } catch {
    // Private windows and some settings have none: the page works as long as it is open.
  }
}

async function begin() {
  try {
    walk = new Walk(await open());
  } catch (error) {
    const text = isDown(error) ? error.message
      : error instanceof Refused ? say("noShift") : null;
    if (text === null) throw error;
    root.replaceChildren(build(["p", { class: "empty" }, text]));
    if (text === say("loggedOut")) root.append(logIn());
    setTimeout(begin, 5000);
    return;
  }
  navigator.storage?.persist?.().then((isKept) => { walk.mayForget = !isKept; });
  keepPage();
  show();
  walk.send();
  setInterval(() => {
    if (!document.hidden) walk.send();
  }, 5000);
  addEventListener("online", () => walk.send());
  document.addEventListener("visibilitychange", () => document.hidden || walk.send());
}
begin();
