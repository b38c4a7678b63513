// The checklist on a phone: one task at a time, two large buttons, with or without a network.
import { joined, mostTogether } from "./album.js";
import { fails, read, told } from "./answers.js";
import { Refused, textIn } from "./copy.js";
import { Zone, idText } from "./fold.js";
import { areaName, build, clock, fill, knownZone, loadScript, onceDrawn, say } from "./live.js";
import { adopt, opening } from "./opening.js";
import { unmark } from "./undoing.js";
import {
  Walk, equipment, fetchShift, former, isDown, isLack, isNewer, lackOf, newer, order, resend, tend,
} from "./walk.js";

const root = document.getElementById("shift");
const sending = document.getElementById("sending");
const zoneName = knownZone(root.dataset.zone);
const zone = new Zone(zoneName);

/** True for those who lead the shift: only they end it, walk travel paths, enter figures, decide
 *  between marks that contradict each other, and change or delete to-dos, even ones that they have
 *  added themselves. The service refuses it to others. */
const leads = () => "leads" in root.dataset;

/** True if the person may do in an area what crew members do. */
function isOwn(area) {
  const { areas: own } = root.dataset;
  return leads() || own === undefined || (area !== "" && own.split(" ").map(decodeURIComponent).includes(area));
}

/** True if the person may report equipment: whoever may do in some area what crew members do. */
const mayReport = () => leads() || root.dataset.areas !== "";

/** What the person may do to a task: `inspect` for everything but a review, `tick`, or
 *  `unspecified` for nothing. The service refuses the rest. */
function mayDo({ list, task: { area } }) {
  if (leads()) return "inspect";
  if (!isOwn(area)) return "unspecified";
  return walk.state.crewMay(walk.state.templates[list].id, root.dataset.name ?? "");
}

/** True if the person may mark a task so. */
function mayMark(listed, { finding, notApplicable, answer }) {
  const may = mayDo(listed);
  return may === "inspect" || (may === "tick" && !notApplicable && (finding !== "notOk" || Boolean(answer)));
}

// What is shown

let walk = null;

const button = (name, text, press, attributes = {}) => {
  const element = build(["button", { type: "button", class: name, ...attributes }, text]);
  element.addEventListener("click", press);
  return element;
};

/** True while something is being typed: nothing else takes it from the screen. */
const isTyping = () => root.querySelector("form") !== null;

function show(...nodes) {
  if (!walk) return;
  showSending();
  showBadge();
  if (nodes.length > 0) return fill(root, nodes);
  if (isTyping()) return;
  leave();
  const view = walk.list === null ? lists : views.get(walk.list) ?? task;
  fill(root, view());
}

/** True if the page learned, while something was being typed, that this shift is not the open
 *  one. */
let mustLeave = false;

/** Goes on to the next shift, once this one has ended and all of it was sent. */
function leave() {
  const { shift, waiting } = walk.copy;
  if (!mustLeave && (shift.ended === 0 || waiting.length > 0)) return;
  mustLeave = false;
  begin();
}

/** Shows the number of open to-dos on the icon of the app, if there is one. */
function showBadge() {
  const count = walk.state.todos.filter(({ mark }) => mark === "open").length;
  if (count === walk.badge) return;
  walk.badge = count;
  navigator.setAppBadge?.(count).catch(() => { /* only installed pages have one */ });
}

/** How long the page may be without contact before it says so, in milliseconds. */
const patience = 12_000;

/** Why what is shown may be old; empty if it isn't. */
function age() {
  const { reached, courier: { denial, obstacle } } = walk;
  const why = denial ?? obstacle;
  if (!why || Math.abs(Date.now() - reached) < patience) return "";
  if (why === say("loggedOut")) return say("logInOver");
  return reached > 0 && why === say("noService")
    ? say("asOf", { clock: clock(reached, zoneName, true) }) : why;
}

function showSending() {
  const { waiting } = walk.copy;
  const nodes = [];
  if (walk.message) nodes.push(build(["span", { class: "bad" }, walk.message]));
  else if (waiting.length === 0) {
    const old = age();
    nodes.push(build(["span", old ? { class: "state" } : {}, old || say("allSent")]));
  }
  else {
    const since = clock(waiting[0].deviceTime, zoneName);
    const why = walk.courier.denial ?? walk.courier.obstacle;
    const text = say("waiting", { count: waiting.length, clock: since });
    nodes.push(build(["span", { class: "waits" }, why ? `${text} · ${why}` : text]));
    if (mayForget) nodes.push(build(["span", {}, say("mayForget")]));
  }
  if (!zoneName) {
    nodes.push(build(["span", { class: "bad" }, say("otherZone", { zone: root.dataset.zone })]));
  }
  if (walk.lack) nodes.push(build(["span", { class: "bad" }, walk.lack]));
  if (walk.courier.obstacle === say("loggedOut")) nodes.push(logIn());
  nodes.push(...refusals(walk.copy), ...formerNodes());
  fill(sending, nodes);
}

/** Resends or dismisses an operation that was refused, and says if that can't be kept. */
async function answerTo(act) {
  try {
    await act();
  } catch (error) {
    if (!isLack(error)) throw error;
    if (walk) walk.message = say("notKept");
  }
  showFormer();
}

/** The refused operations of a copy, until somebody has dealt with them. */
const refusals = (copy) => copy.refused.flatMap((refused) => [
  build(["span", { class: "bad" },
    say("refused", { reason: textIn(refused, document.documentElement.lang) })]),
  ...(refused.mayResend ? [button("quiet", say("sendAgain"),
    () => answerTo(() => resend(copy, refused.operation.id, walk)),
    { "data-key": `again/${refused.operation.id}` })] : []),
  button("quiet", say("dismiss"), () => answerTo(() => copy.dismiss(refused.operation.id)),
    { "data-key": refused.operation.id }),
]);

const dayOf = (time) => new Intl.DateTimeFormat(
  document.documentElement.lang, { dateStyle: "medium", timeZone: zoneName }).format(time);

/** The number of operations of a former shift that wait. */
const waits = ({ waiting, snapshot: { shift } }) => build(["span", { class: "waits" },
  say("formerWaits", { count: waiting.length, day: dayOf(shift.started) })]);

/** What former shifts have left on this device. */
function formerNodes() {
  const nodes = [...former].filter(([shift]) => shift !== walk?.copy.shift.id).flatMap(([, copy]) =>
    [...(copy.waiting.length > 0 ? [waits(copy)] : []), ...refusals(copy)]);
  if (newer.size > 0) nodes.push(build(["span", { class: "bad" }, say("newerKept")]));
  return nodes;
}

function showFormer() {
  if (walk) showSending();
  else fill(sending, formerNodes());
}
document.addEventListener("former", showFormer);

/** Where and when the shift is, and whose it is; only where, if none is open. */
function whereabouts() {
  const shift = walk?.copy.shift;
  const said = [root.dataset.called];
  if (shift) {
    const form = { weekday: "long", day: "numeric", month: "long", timeZone: zoneName };
    const day = new Intl.DateTimeFormat(document.documentElement.lang, form).format(shift.started);
    const part = shift.dayPart === 2 ? say("eveningShift") : say("dayShift");
    said.push(part, day, shift.managerName);
  }
  return build(["p", { class: "where shift" }, said.filter(Boolean).join(" · ")]);
}

/** The heading of what is shown: where reading goes on when what had the focus is gone. */
const heading = (text) => build(["h1", { tabindex: "-1", id: "title" }, text]);

/** When a press last changed what the buttons are about; later than now until it has. */
let changed = -Infinity;
/** How long after that a press is still the second one of a double tap, in milliseconds. */
const doubleTap = 350;
/** The longest time for which a press holds up others, in milliseconds: some browsers never say
 *  whether they have kept something. */
const longestPress = 10_000;

/** Does what a button says, unless nobody can have read it yet. */
async function once(act) {
  if (performance.now() - changed < doubleTap) return;
  changed = performance.now() + longestPress;
  try { await act(); } finally { changed = performance.now(); }
}

/** The same for a press on a button. */
const pressed = (act) => () => once(act);

// Enter that is held down presses again and again, each time on what is shown by then.
root.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
});

/** The button that undoes the last change, which it names; nothing when there is none. */
function undoButton() {
  const { last } = walk.undoing;
  if (!last) return [];
  return [button("quiet undo", `${say("undo")}: ${last.title}`, pressed(async () => {
    await walk.undo();
    show();
  }))];
}

const { lang } = document.documentElement;

/** A text of the lists in the language of the page, or else in that of the site, which its
 *  attributes then name: the attributes and the text. */
function spoken(text, texts) {
  const site = walk.state.language;
  if (lang === site || texts[lang] !== undefined) return [{}, texts[lang] ?? text];
  return [{ lang: site }, texts[site] ?? text];
}
const titled = ({ title, titles }) => spoken(title, titles);
const named = ({ name, names }) => spoken(name, names);

/** A link to the log-in, which leads back. What waits here stays. */
const logIn = () => build(["a", {
  class: "button", href: `/login?next=${encodeURIComponent(location.pathname)}`,
}, say("logIn")]);

function lists() {
  const state = walk.state;
  const now = Date.now();
  const late = state.overdue(now, zone).map(({ key }) => (
    state.templates[state.tasks[state.positions.get(key)].list].id));
  /** Says how much of a list is overdue. */
  const overdue = (count) => (count === 0 ? []
    : [build(["span", { class: "late" }, `${say("overdue")}: ${count}`])]);
  const rows = state.templates.map((template) => {
    const { tasks, unchecked, notOk } = state.progress(template.id);
    const done = tasks - unchecked;
    const row = button("list", "", pressed(() => {
      walk.list = template.id;
      walk.position = nextOpen(walk.state, -1) ?? first(walk.state);
      show();
    }), { "data-key": template.id });
    const [speech, name] = named(template);
    row.append(
      build(["span", { class: "name", ...speech }, name]),
      build(["span", { class: notOk ? "count bad" : "count" }, say("progress", { done, count: tasks })]),
      build(["progress", { max: String(Math.max(1, tasks)), value: String(done), "aria-hidden": "true" }]),
      ...overdue(late.filter((id) => id === template.id).length));
    return row;
  });
  const open = state.todos.filter(({ mark }) => mark === "open").length;
  const todoRow = button("list", "", pressed(() => {
    walk.list = todoList;
    show();
  }), { "data-key": todoList });
  todoRow.append(build(["span", { class: "name" }, say("todos")]),
    build(["span", { class: "count" }, String(open)]),
    ...overdue(state.dueTodos.filter((it) => it.overdue <= now).length));
  const photoRow = button("list", "", () => {
    walk.list = photoList;
    show();
  }, { "data-key": photoList });
  photoRow.append(build(["span", { class: "name" }, say("photos")]),
    build(["span", { class: "count" }, String(pictures(state).length)]));
  const reviews = state.tasks.flatMap((_, position) => state.isInReview(position) ? [position] : []);
  const review = button("list review", "", pressed(() => {
    walk.position = reviews[0];
    walk.list = state.templates[state.tasks[reviews[0]].list].id;
    show();
  }), { "data-key": state.tasks[reviews[0]]?.key ?? "" });
  review.append(build(["span", { class: "name" }, say("reviews", { count: reviews.length })]));
  const sheetRow = (key, text) => {
    const row = button("list", "", pressed(() => { openSheet(key); }), { "data-key": key });
    row.append(build(["span", { class: "name" }, text]));
    return row;
  };
  const path = travelPath(state);
  // One that is due is seen without scrolling.
  const isDue = state.travelPathDue(now) !== null;
  return [heading(say("lists")), whereabouts(), ...(isDue ? [path] : []), ...(reviews.length > 0 && leads() ? [review] : []),
    ...rows, todoRow, photoRow, sheetRow(salesList, say("sales")),
    sheetRow(equipmentList, say("equipment")), ...(isDue ? [] : [path]), ...undoButton(),
    ...(leads() ? [button("quiet", say("endShift"), () => askToEnd())] : [])];
}

/** Asks before the shift is ended, which can't be undone. */
function askToEnd(reason = "", despiteOpen = false) {
  const form = build(["form", { class: "typing" }, ["h1", {}, say("endQuestion")],
    ...(reason ? [["p", { class: "fault", role: "alert" }, reason]] : []), ["p", {}, say("endText")],
    ["div", { class: "pair" }, ["button", { type: "button" }, say("cancel")],
      ["button", { class: "main" }, despiteOpen ? say("endAnyway") : say("endShift")]]]);
  form.querySelector("button").addEventListener("click", () => close(form));
  const own = walk;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle(form, async () => {
      await own.send();
      // Somebody may have left it meanwhile: a slow network needs minutes for photos.
      if (!form.isConnected) return null;
      const error = await order("end", { shift: own.copy.shift.id, despiteOpen });
      if (error && form.isConnected) {
        askToEnd(error.message, error instanceof Refused && error.code === "conflict");
      } else if (error) {
        noPhoto(error.message);
      } else {
        // So that this device knows that the shift is over.
        await own.send();
        location.reload();
      }
      return null;
    });
  });
  show(form);
  form.querySelector("button").focus();
}

/** The lists that aren't checklists. */
const todoList = "#todos";
const photoList = "#photos";
const salesList = "#sales";
const equipmentList = "#equipment";
const views = new Map([[todoList, todos], [photoList, photos], [salesList, () => sheets.sales()],
  [equipmentList, () => sheets.equipment()]]);

/** The views and forms that are needed less often; null until they are. */
let sheets = null;

/** Loads what is needed less often, and does something with it. Until it has come, which may take
 *  long, everything else goes on. */
async function withSheets(act) {
  // If the script is missing, this browser hasn't kept it, and there is no network.
  const module = await loadScript("sheets.js");
  // What is being typed by then stays.
  if (!walk || isTyping()) return;
  if (!module) {
    noPhoto(say("noContact"));
    return;
  }
  sheets ??= module.open({
    walk: () => walk, build, say, areaName, separator, zone, zoneName, clock, dayOf, button, pressed,
    show, close, settle, choice, oneLine, heading, header: backToLists, undoButton, priorityTitle,
    areas, leads, mayReport, order, equipment, problem: noPhoto,
  });
  act();
  changed = performance.now();
}

/** Shows the sales figures or the equipment. */
const openSheet = (key) => withSheets(() => {
  walk.list = key;
  if (key === equipmentList) sheets.load();
  show();
});

/** The button that leads from a list back to all lists. */
function backToLists() {
  const header = build(["header", {}]);
  header.append(button("quiet", say("lists"), () => { walk.list = null; show(); }));
  return header;
}

/** The photos of an answer. */
const photosOf = (mark) => mark?.answer?.value.photos?.photos ?? [];

/** The photos of the shift that are shown, each with what it shows, who took it and when. */
function pictures(state) {
  const answered = state.tasks.flatMap((listed, position) =>
    state.result(position).standing.flatMap((mark) => photosOf(mark).map((photo) => (
      { photo, called: titled(listed.task), stamp: mark.stamp }))));
  const reported = state.todos.filter(({ task }) => !task).flatMap((todo) => todo.photos.map((photo) => (
    { photo, called: [{}, todo.title], stamp: todo.made })));
  return [...answered, ...reported];
}

/** All photos of the shift. */
function photos() {
  const all = pictures(walk.state);
  const rows = all.map(({ photo, called: [speech, title], stamp }) => {
    const row = build(["section", { class: "card pictured" }, ["div", {}, ["h2", speech, title],
      ["p", { class: "where" }, [clock(stamp.time, zoneName), stamp.name].filter(Boolean).join(" · ")]]]);
    row.append(walk.album.row([photo], title));
    return row;
  });
  const empty = build(["p", { class: "empty" }, say("noPhoto")]);
  return [backToLists(), heading(say("photos")), ...(rows.length > 0 ? rows : [empty])];
}

/** Shows why there is no photo, or why something else wasn't done; nothing for an empty reason. */
function noPhoto(reason) {
  // Meanwhile the shift may have ended.
  if (!walk) return;
  walk.message = reason;
  showSending();
}

function travelPath(state) {
  const due = state.travelPathDue(Date.now());
  const next = state.nextTravelPath(Date.now());
  const text = due !== null ? say("pathDue", { clock: clock(due, zoneName) })
    : next !== null ? say("pathNext", { clock: clock(next, zoneName) }) : "";
  const own = state.travelPaths.findLast(({ logged, began }) =>
    logged === null && began?.device === walk.copy.device);
  const card = build(["section", {
    class: due === null ? "card round" : "card round due", "data-key": "travelPath",
    "data-begun": own?.begun ?? "",
  },
    ["h2", {}, say("travelPath")], ["p", {}, text]]);
  if (!leads()) return card;
  const change = own ? { logTravelPath: { begun: own.begun, text: "" } } : { beginTravelPath: {} };
  card.append(button(own ? "main" : "", own ? say("back") : say("setOut"), pressed(async () => {
    await walk.keep(change);
    show();
  })));
  return card;
}

function todos() {
  // What is done comes last: it is only there to be opened again.
  const [open, closed] = [[], []];
  for (const todo of walk.state.todos) (todo.mark === "open" ? open : closed).push(todo);
  const now = Date.now();
  const late = new Set(
    walk.state.dueTodos.filter(({ overdue }) => overdue <= now).map(({ key }) => key));
  const soon = new Map(
    walk.state.settings.priorities.map((priority) => [priority.name, priorityTitle(priority)]));
  const { tasks, positions } = walk.state;
  const rows = [...open, ...closed].map((todo) => {
    const { id, task: key, priority, mark, taskNotes, notes, photos: shown, ...it } = todo;
    const listed = tasks[positions.get(key)];
    const [speech, title] = listed ? titled(listed.task) : [{}, it.title];
    const [, section] = listed ? named(walk.state.sectionOf(listed)) : [{}, it.section];
    const isOpen = mark === "open";
    const word = isOpen ? say("done") : say("openAgain");
    const row = build(["section", { class: isOpen ? "card todo" : "card todo done", "data-key": id },
      ["div", {}, ["h2", speech, title],
        ["p", { class: "where" }, [section, soon.get(priority) ?? priority, it.assignee,
          it.due === null ? "" : `${say("due")} ${dayOf(it.due)} ${clock(it.due, zoneName)}`,
        ].filter(Boolean).join(" · ")],
        ...(late.has(id) ? [["p", { class: "badge bad" }, say("overdue")]] : []),
        ...[...taskNotes, ...notes].map(({ text, stamp }) =>
          ["p", { class: "said" }, `“${text}” ${stamp.name}`])]]);
    const mayTouch = isOwn(todo.area);
    if (mayTouch) {
      row.append(button(isOpen ? "main" : "quiet", word, pressed(async () => {
        await walk.keep({ markTodo: { todo: id, mark: isOpen ? "done" : "open" } }, () => (
          { title, change: { markTodo: { todo: id, mark: isOpen ? "open" : "done" } } }));
        show();
      }), { "aria-label": `${word}: ${title}` }));
    }
    if (isOpen && leads()) {
      row.append(button("quiet", say("change"), pressed(() => {
        withSheets(() => sheets.changeTodo(todo, title));
      }), { "aria-label": `${say("change")}: ${title}` }));
    }
    if (isOpen && mayTouch) {
      row.append(button("quiet", say("note"), pressed(() => {
        type(`${title}: ${say("note")}`, (text) => walk.keep({ noteTodo: { todo: id, text } }), 1000);
      }), { "aria-label": `${say("note")}: ${title}` }));
    }
    if (shown.length > 0) row.append(walk.album.row(shown, title));
    return row;
  });
  const empty = build(["p", { class: "empty" }, say("noTodo")]);
  const add = mayAdd() ? [button("main", say("addTodo"), () => addTodo())] : [];
  return [backToLists(), heading(say("todos")), ...(rows.length > 0 ? rows : [empty]), ...add,
    ...undoButton()];
}

const choice = (id, label, options) => ["div", { class: "field" }, ["label", { for: id }, label],
  ["select", { id }, ...options.map(([value, text]) => ["option", { value }, text])]];

/** How soon, in the language of the page if the site has it in that. */
const priorityTitle = ({ title, titles }) => titles[document.documentElement.lang] ?? title;

/** Replaces a form with what it was about, and moves the focus to its heading. */
function close(form) {
  const hadFocus = form.contains(document.activeElement);
  form.remove();
  show();
  if (hadFocus) root.querySelector("h1[tabindex]")?.focus({ preventScroll: true });
}

/** Keeps what was typed, once. If it can't be kept, the form stays, with all that is in it. */
async function settle(form, keep) {
  if ("busy" in form.dataset) return;
  form.dataset.busy = "";
  let isKept = null;
  try { isKept = await keep(); } finally { delete form.dataset.busy; }
  // Somebody may have left it meanwhile.
  if (!form.isConnected) return show();
  if (isKept === null) return showSending();
  close(form);
  changed = performance.now();
}

/** The areas of the site, and those that the lists name. */
function areas() {
  const named = walk.state.tasks.map(({ task }) => task.area).filter(Boolean);
  return [...new Set([...(walk.copy.snapshot.shift.areas ?? []), ...named])];
}

/** True if there is an area in which the person may add a to-do. */
const mayAdd = () => (areas().length > 0 ? areas().some(isOwn) : isOwn(""));

/** Asks for a to-do. */
function addTodo() {
  const { settings } = walk.copy.snapshot;
  const places = areas().filter(isOwn);
  const form = build(["form", { class: "typing" },
    ["h1", {}, ["label", { for: "line" }, say("what")]],
    ["textarea", { id: "line", maxlength: "200", rows: "2", required: "" }],
    ...(places.length > 0
      ? [choice("area", say("area"), places.map((area) => [area, areaName(area)]))] : []),
    choice("priority", say("priority"),
      settings.priorities.map((priority) => [priority.name, priorityTitle(priority)])),
    ["div", { class: "pair" },
      ["button", { type: "button", name: "cancel" }, say("cancel")],
      ["button", { class: "main" }, say("save")]]]);
  const taken = [];
  const choose = takePhotos(taken, form);
  form.lastChild.before(choose);
  form.querySelector("[name='cancel']").addEventListener("click", () => close(form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const line = form.querySelector("textarea");
    const title = oneLine(line.value);
    if (!title) {
      // The browser asks for it, as if nothing had been typed.
      line.value = "";
      line.reportValidity();
      return;
    }
    const value = (id) => form.querySelector(`#${id}`)?.value ?? "";
    const [area, priority] = [value("area"), value("priority")];
    await settle(form, async () => {
      // The photo that was taken last is part of it. If it can't be used, the form says why.
      if (!await walk.album.preparing || !form.isConnected) return null;
      return walk.keep({ addTodo: {
        title, section: "", area, priority, note: "", travelPath: "", number: 0, assignee: "", due: 0,
        photos: taken.map(({ photo }) => photo),
      } }, leads()
        ? (id) => ({ title, change: { markTodo: { todo: idText(id), mark: "removed" } } }) : null, taken);
    });
  });
  show(form);
  form.querySelector("textarea").focus();
}

/** The photos that are taken in a form, and kept with what it makes. */
function takePhotos(taken, form) {
  const box = build(["div", { class: "taking" }]);
  // Meanwhile the next shift may be shown.
  const { album } = walk;
  const fault = build(["p", { class: "fault", role: "alert", hidden: "" }]);
  const fill = (reason = "") => {
    fault.hidden = reason === "";
    fault.textContent = reason;
    const all = taken.map(({ photo }) => photo);
    const add = album.button("", say(all.length > 0 ? "anotherPhoto" : "takePhoto"), (made) => {
      if (!form.isConnected) return;
      if (joined(all, made.photo)) taken.push(made);
      fill();
    }, fill);
    const row = album.row(all, form.querySelector("textarea").value || say("addTodo"), (index) => {
      taken.splice(index, 1);
      fill();
    }, taken);
    const hadFocus = box.contains(document.activeElement);
    box.replaceChildren(...(all.length > 0 ? [row] : []), ...(all.length < mostTogether ? [add] : []), fault);
    if (hadFocus) (add.isConnected ? add : box.querySelector("button")).focus();
  };
  fill();
  return box;
}

const leaves = (state) => [...state.tasks.entries()].filter(([, listed]) =>
  listed.children.length === 0 && state.templates[listed.list].id === walk.list);
const first = (state) => leaves(state)[0]?.[0] ?? null;

/** The next task after a position that is unmarked and that the person may mark, from the beginning
 *  again if need be. */
function nextOpen(state, after) {
  const open = leaves(state).filter(([position, listed]) => (
    state.state(position) === "unchecked" && mayDo(listed) !== "unspecified"))
    .map(([position]) => position);
  return open.find((position) => position > after) ?? open[0] ?? null;
}

function step(count) {
  const all = leaves(walk.state).map(([position]) => position);
  const index = all.indexOf(walk.position) + count;
  walk.position = all[Math.min(Math.max(index, 0), all.length - 1)];
  show();
}

/**
 * Marks the present task or the one at a `position`, and goes on to the next unless it `stays`.
 *
 * @returns null when that could not be kept.
 */
async function mark(finding, notApplicable = "", answer = undefined,
  { taken = [], stays = false, position = walk.position } = {}) {
  const own = walk;
  const { state } = own;
  const listed = state.tasks[position];
  const { key, task } = listed;
  const list = key.slice(0, key.indexOf("/"));
  const { shown, isInReview } = state.result(position);
  // Whoever decides between marks that contradict each other has seen them.
  const isReview = isInReview && !answer && finding !== "unspecified";
  const back = unmark(list, task.id, shown);
  const isKept = await walk.keep(isReview ? { review: { list, task: task.id, finding } }
    : { mark: { list, task: task.id, finding, notApplicable, ...(answer ? { answer } : {}) } },
  // A decision ends a contradiction, which nothing brings back.
  isInReview || !mayMark(listed, back.mark) ? null
    : () => ({ title: titled(task)[1], change: back }), taken);
  // Meanwhile the next shift may be shown.
  if (isKept && walk === own && !stays && (finding !== "unspecified" || notApplicable)) {
    walk.position = nextOpen(walk.state, position) ?? position;
  }
  show();
  return isKept;
}

/** The decimal separator. */
const separator = () => new Intl.NumberFormat(document.documentElement.lang).format(0.5).at(1);

/** Asks for the answer of a task, from which its finding follows. */
function askAnswer(title, rule, canFail) {
  const field = rule.kind === "choice"
    ? ["div", { class: "options" }, ...rule.choices.map(({ text }) =>
      ["button", { type: "button", value: text }, text])]
    : ["div", { class: "answer" }, ["input", {
      id: "line", required: "", autocomplete: "off", maxlength: rule.kind === "signature" ? "80" : "1000",
      inputmode: rule.kind === "number" ? "decimal" : "text",
    }], ...(rule.unit ? [["span", {}, rule.unit]] : [])];
  const heading = rule.kind === "signature" ? `${title}: ${say("sign")}` : title;
  const form = build(["form", { class: "typing" },
    ["h1", {}, rule.kind === "choice" ? heading : ["label", { for: "line" }, heading]],
    field, ["p", { class: "fault", role: "alert", hidden: "" }],
    ["div", { class: "pair" }, ["button", { type: "button", name: "cancel" }, say("cancel")],
      ...(rule.kind === "choice" ? [] : [["button", { class: "main" }, say("save")]])],
    ...(canFail ? [["button", { type: "button", class: "quiet", name: "none" }, say("noAnswer")]] : [])]);
  const take = (answer) => settle(form, () => mark(fails(rule, answer) ? "notOk" : "ok", "", answer));
  for (const option of form.querySelectorAll(".options button")) {
    option.addEventListener("click", () => take({ value: { choice: option.value } }));
  }
  form.querySelector("[name='cancel']").addEventListener("click", () => close(form));
  form.querySelector("[name='none']")?.addEventListener("click", () => settle(form, () => mark("notOk")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = read(rule, form.querySelector("input").value);
    if (answer) return take(answer);
    const fault = form.querySelector(".fault");
    fault.hidden = false;
    fault.textContent = rule.kind === "number" ? say("numberWrong") : say("answer");
  });
  show(form);
  (form.querySelector("input") ?? form.querySelector("button")).focus();
}

/** Makes a screen reader say the task together with the button that has the focus. */
const about = { "aria-describedby": "title" };

/** The buttons of a task that asks for a photo. Each photo is kept at once, and shown.
 *
 * @param mayFail true if the person may find the task not ok without a photo.
 */
function photoButtons(pair, listed, result, canFail, mayFail) {
  const [, title] = titled(listed.task);
  const all = photosOf(result.shown);
  const answer = (photos) => ({ value: { photos: { photos } } });
  const finding = result.state === "notOk" ? "notOk" : "ok";
  const isAnswered = all.length > 0;
  if (canFail && (mayFail || isAnswered)) {
    pair.append(button("bad big", say("notOk"), pressed(() =>
      mark("notOk", "", isAnswered ? answer(all) : undefined)), about));
  }
  const [own, position] = [walk, walk.position];
  const take = (name, text) => walk.album.button(name, text, (made) => {
    // Meanwhile the next shift may be shown, which has nothing to do with it.
    if (walk !== own) return undefined;
    const now = photosOf(walk.state.result(position).shown);
    const more = joined(now, made.photo);
    return more ? mark(finding, "", answer(more), { taken: [made], stays: true, position }) : show();
  }, noPhoto);
  if (!isAnswered) {
    pair.append(take("good big", say("takePhoto")));
    return [];
  }
  const open = nextOpen(walk.state, walk.position);
  pair.append(open === null
    ? button("good big", say("lists"), pressed(() => { walk.list = null; show(); }))
    : button("good big", say("next"), pressed(() => {
      walk.position = nextOpen(walk.state, walk.position) ?? walk.position;
      show();
    }), about));
  const row = walk.album.row(all, title, (index) => once(() => {
    const rest = all.filter((_, at) => at !== index);
    if (rest.length > 0) return mark(finding, "", answer(rest), { stays: true });
    return finding === "notOk" && mayFail ? mark("notOk", "", undefined, { stays: true }) : mark("unspecified");
  }));
  return [row, ...(all.length < mostTogether ? [take("", say("anotherPhoto"))] : [])];
}

/** A text on one line: the keyboard of a phone has a key for a new line, which a title can't have. */
const oneLine = (text) => text.replace(/[\s\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ").trim();

/** Asks for a line of text with a maximum number of characters. */
function type(question, done, most = 200) {
  const form = build(["form", { class: "typing" },
    ["h1", {}, ["label", { for: "line" }, question]],
    ["textarea", { id: "line", maxlength: String(most), rows: "2", required: "" }],
    ["div", { class: "pair" },
      ["button", { type: "button" }, say("cancel")], ["button", { class: "main" }, say("save")]]]);
  form.querySelector("button").addEventListener("click", () => close(form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = form.querySelector("textarea").value.trim();
    await settle(form, async () => text && done(text));
  });
  show(form);
  form.querySelector("textarea").focus();
}

/** The finding of a task, and who made it. */
const describe = (words, rule, { state, answer, reason, stamp }) => [
  words[state], answer && !answer.value.photos ? told(rule, answer, separator()) : "", reason, stamp.name,
].filter(Boolean).join(" · ");

function task() {
  const state = walk.state;
  const template = state.templates.find(({ id }) => id === walk.list);
  const listed = state.tasks[walk.position];
  if (!listed) return lists();
  const result = state.result(walk.position);
  const { tasks, unchecked } = state.progress(template.id);
  const due = state.dueTimes(zone).find(({ key }) => key === listed.key);
  const rule = listed.task.answer;
  const words = {
    ok: state.allowsNotOk(listed) ? say("ok") : say("done"), notOk: say("notOk"),
    notApplicable: say("notApplicable"),
  };
  const [speech, title] = titled(listed.task);
  const top = build(["header", {},
    ["p", { class: "where" }, ["span", ...named(template)], " · ",
      ["span", ...named(state.sectionOf(listed))]],
    ["progress", { max: String(Math.max(1, tasks)), value: String(tasks - unchecked), "aria-hidden": "true" }],
    ["p", { class: "where" }, say("progress", { done: tasks - unchecked, count: tasks })]]);
  top.prepend(button("quiet", say("lists"), () => { walk.list = null; show(); }));
  const parent = listed.parent === null ? [] : [["p", { class: "where" },
    ["span", ...titled(state.tasks[listed.parent].task)]]];
  const middle = build(["section", {
    class: listed.task.general ? "task general" : "task", "data-key": listed.key,
  }, ...parent, ["h1", { tabindex: "-1", id: "title", ...speech }, title],
    ...(listed.task.general ? [["p", { class: "badge" }, "◎ " + say("general")]] : []),
    ...(due ? [["p", { class: due.overdue <= Date.now() ? "badge bad" : "badge" }, clock(due.due, zoneName)]] : []),
    ...(listed.task.note ? [["p", { class: "hint", ...spoken("", {})[0] }, listed.task.note]] : []),
    ...result.notes.map(({ text, stamp }) => ["p", { class: "said" }, `“${text}” ${stamp.name}`]),
    ...(result.shown && result.state !== "unchecked" ? [["p", { class: `marked ${result.state}` },
      describe(words, rule, result.shown)]] : []),
    ...(result.isInReview ? [["div", { class: "fault", role: "status" }, ["p", {}, say("differently")],
      ...result.standing.map((it) => ["p", {}, describe(words, rule, it)])]] : []),
    ...(unchecked === 0 ? [["p", { class: "marked ok" }, say("finished")]] : [])]);
  for (const it of result.isInReview ? result.standing : []) {
    if (photosOf(it).length > 0) middle.append(walk.album.row(photosOf(it), title));
  }
  const pair = build(["div", { class: "pair" }]);
  const canFail = state.allowsNotOk(listed);
  const may = mayDo(listed);
  const mayFail = canFail && may === "inspect";
  if (may === "unspecified") {
    const photos = result.isInReview ? [] : photosOf(result.shown);
    if (photos.length > 0) middle.append(walk.album.row(photos, title));
    middle.append(build(["p", { class: "hint" }, say("onlyLook")]));
  } else if (rule?.kind === "photo" && !result.isInReview) {
    middle.append(...photoButtons(pair, listed, result, canFail, mayFail));
  } else if (rule && !result.isInReview) {
    pair.append(button("good big", say("answer"), () =>
      askAnswer(title, rule, mayFail), about));
  } else if (!result.isInReview || leads()) {
    if (mayFail) pair.append(button("bad big", say("notOk"), pressed(() => mark("notOk")), about));
    pair.append(button("good big", words.ok, pressed(() => mark("ok")), about));
  }
  const linked = state.templates.find(({ id, name }) => listed.task.link && listed.task.link === name);
  if (linked) {
    middle.append(button("", say("openList", { name: named(linked)[1] }), pressed(() => {
      walk.list = linked.id;
      walk.position = nextOpen(walk.state, -1) ?? first(walk.state);
      show();
    })));
  }
  const small = build(["div", { class: "small" }]);
  small.append(button("quiet", "‹", () => step(-1), { "aria-label": say("previous") }));
  if (may !== "unspecified") {
    small.append(button("quiet", say("unmark"), () => mark("unspecified"),
      ["ok", "notOk", "notApplicable"].includes(result.state) ? {} : { disabled: "" }));
  }
  if (may === "inspect") {
    small.append(
      button("quiet", say("notApplicable"), () => type(say("why"), (text) => mark("unspecified", oneLine(text)))),
      button("quiet", say("note"), () => type(say("note"), (text) => {
        const at = listed.key.indexOf("/");
        return walk.keep({ note: { list: listed.key.slice(0, at), task: listed.key.slice(at + 1), text } });
      }, 1000)));
  }
  small.append(button("quiet", "›", () => step(1), { "aria-label": say("next") }));
  const hand = build(["div", { class: "hand" }]);
  hand.append(...undoButton(), small, pair);
  return [top, middle, hand];
}

const worker = "/sw.js";
/** Says that the service worker is ours; a page can make such a policy only once. */
const policy = globalThis.trustedTypes?.createPolicy("worker", {
  createScriptURL(text) {
    if (text !== worker) throw new TypeError(text);
    return text;
  },
});

/** Has the service worker keep this page, so that it opens without a network. */
async function keepPage() {
  if (!navigator.serviceWorker) return;
  try {
    const isNew = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(worker) : worker);
    // Otherwise it has seen this page itself.
    if (isNew) (await navigator.serviceWorker.ready).active.postMessage(location.pathname);
  } catch {
    // Private windows and some settings have none: the page works as long as it is open.
  }
}

/** The buttons that start a shift when none is open. */
function starting() {
  const note = build(["p", { class: "fault", role: "alert", hidden: "" }]);
  const part = (text, dayPart) => button("main", text, async () => {
    const error = await order("start", { dayPart });
    if (!error) return begin();
    note.hidden = false;
    note.textContent = say("notNow", { reason: error.message });
  });
  const box = build(["div", { class: "starting" }]);
  box.append(part(say("startDay"), 1), part(say("startEvening"), 2), note);
  return box;
}

// The screen stays on during a walk, where the browser lets a page ask for that.
async function stayOn() {
  if (document.hidden || !walk || !navigator.wakeLock) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // Refused, for example because the battery is low: asked again when the page is next shown.
  }
}
document.addEventListener("visibilitychange", stayOn);

/** Says why there is nothing to tick. */
function explain(error) {
  const text = isDown(error) ? error.message : isLack(error) ? lackOf(error)
    : error instanceof Refused ? say("noShift") : null;
  if (text === null) throw error;
  walk?.close();
  walk = null;
  showFormer();
  // What someone is about to press stays where it is.
  if (root.querySelector(".empty")?.textContent === text) return;
  root.replaceChildren(
    build(["h1", {}, say("lists")]), whereabouts(), build(["p", { class: "empty" }, text]));
  if (text === say("loggedOut")) root.append(logIn());
  if (isNewer(error)) root.append(button("main", say("reload"), () => location.reload()));
  if (error instanceof Refused && error.code !== "forbidden" && leads()) root.append(starting());
}

/** Shows what is kept of a shift. */
function enter(own) {
  root.replaceChildren();
  walk?.close();
  walk = new Walk(own, show);
  show();
  onceDrawn(() => walk?.send());
}

let retry = 0;
let mayForget = false;
/** The open shift as the service had it last; null until it has answered. */
let openShift = null;
/** True once this page has looked for what is kept here. */
let hasLooked = false;
/** Why what is kept here can't be read; null if it can. */
let unread = null;
let [isBeginning, mustBegin] = [false, false];

async function begin() {
  clearTimeout(retry);
  if (isBeginning) {
    mustBegin = true;
    return;
  }
  [isBeginning, mustBegin] = [true, false];
  const isFirst = !walk;
  try {
    await look();
  } finally {
    isBeginning = false;
  }
  if (!walk && mustBegin) begin();
  if (walk && isFirst) onceDrawn(stay);
}

/** Shows the shift that is kept here, and then the one that is open. */
async function look() {
  const begun = hasLooked ? null : opening;
  hasLooked = true;
  const coming = fetchShift(begun?.coming);
  // The promise is awaited below, and may be rejected before that.
  coming.catch(() => {});
  const own = await begun?.own.catch((error) => {
    if (!isLack(error)) throw error;
    unread = error;
    return null;
  });
  // What is kept is shown at once, with or without a network.
  if (own?.copy.shift.ended === 0) enter(own);
  try {
    const snapshot = await coming;
    if (walk?.copy.shift.id !== snapshot.shift.id) {
      const next = isTyping() ? null : await (begun?.adopted ?? adopt(snapshot));
      // A form may have been opened meanwhile.
      if (isTyping()) {
        mustLeave = true;
        return;
      }
      enter(next);
    }
    openShift = snapshot.shift;
    lookBack();
  } catch (error) {
    if (isDown(error) && (own || walk)) {
      if (!walk) enter(own);
      retry = setTimeout(begin, 5000);
    } else if (isTyping()) {
      mustLeave = true;
    } else {
      // Offering a log-in or a new shift helps more than saying what can't be read, which the page
      // says elsewhere too.
      const isSilent = isDown(error) && error.message !== say("loggedOut");
      explain(isSilent && isNewer(unread) ? unread : error);
      retry = setTimeout(begin, 5000);
    }
  }
}

/** Sends or deletes what former shifts have left here. */
function lookBack() {
  if (openShift) tend(openShift).catch(() => { /* done when the page is next opened */ });
}

/** Has the browser keep what is stored here, and keep the screen on. */
function stay() {
  navigator.storage?.persist?.()
    .then((isKept) => { mayForget = !isKept; }, () => { mayForget = true; });
  keepPage();
  stayOn();
}

/** Sends, or looks for a shift if there was none. */
const goOn = (isAnew = false) => (walk ? walk.send(isAnew) : begin());
setInterval(() => document.hidden || walk?.send(), 5000);
addEventListener("online", () => walk?.send());
document.addEventListener("visibilitychange", () => document.hidden || walk?.send());
document.addEventListener("live", () => {
  goOn(true);
  // The network may have failed before everything was sent.
  lookBack();
});
begin();
