// What is needed less often than the lists: the sales figures, changes of to-dos, and equipment. The
// page loads this when somebody asks for it, and passes what it is built of.
import { read, thousandths } from "./answers.js";

const hour = 3_600_000;

/** The figures of an hour, and how many of their units are one. */
const kinds = [["salesPlanned", 100], ["salesActual", 100], ["crewPlanned", 60], ["crewActual", 60]];
/** The same for a measurement of service. */
const serviceScale = 1000;

/** The local hour at a time. */
function hourAt(time, zone) {
  const second = Math.floor(time / 1000);
  return Math.floor((second + zone.offset(second)) / 3600) % 24;
}

/** The hours of the sales report: from the beginning of a shift to a time or its end, and all others
 *  with a figure, in the order of the shift. */
export function hoursOf({ started, ended }, figures, now, zone) {
  const until = Math.max(started, ended === 0 ? now : Math.min(now, ended));
  const hours = new Set([...figures.keys()].map((key) => Number(key.slice(0, key.indexOf("/")))));
  for (let step = 0; step < 24; step += 1) {
    const time = started + step * hour;
    hours.add(hourAt(Math.min(time, until), zone));
    if (time >= until) break;
  }
  const begins = hourAt(started, zone);
  const place = (it) => (it - begins + 24) % 24;
  return [...hours].sort((a, b) => place(a) - place(b));
}

/** The value of a figure that was typed, in its unit; null if it is none. */
export function valueOf(typed, scale) {
  const number = read({ kind: "number" }, typed)?.value.number ?? -1;
  return number < 0 ? null : Math.floor((number * scale + 500) / 1000);
}

/** A figure as people read it. */
export const textOf = (value, scale, separator = ".") =>
  thousandths(Math.round((value * 1000) / scale), separator);

/** A sum of money as people read it: always with hundredths. */
export const moneyOf = (value, separator = ".") =>
  `${Math.floor(value / 100)}${separator}${String(value % 100).padStart(2, "0")}`;

/** A time as a field for a date and a time has it, in a zone. */
export function localText(time, zone) {
  const second = Math.floor(time / 1000);
  return new Date((second + zone.offset(second)) * 1000).toISOString().slice(0, 16);
}

/** The time that such a field means; null if it is empty. */
export function timeOf(text, zone) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)?.slice(1).map(Number);
  if (!parts) return null;
  const [year, month, day, hours, minutes] = parts;
  return zone.instant(Date.UTC(year, month - 1, day) / 86_400_000, hours * 60 + minutes);
}

/** The change that a form makes to a to-do: only what differs; null for none. */
export function changeOf(todo, { priority, assignee, due }) {
  const change = { todo: todo.id, due: 0, priority: "", neverDue: false };
  if (priority && priority !== todo.priority) change.priority = priority;
  if (assignee !== todo.assignee) change.assignee = assignee;
  if (due !== todo.due) Object.assign(change, due === null ? { neverDue: true } : { due });
  const isSame = !change.priority && change.assignee === undefined && !change.due && !change.neverDue;
  return isSame ? null : change;
}

/**
 * The views and forms.
 *
 * @param page what the page has for them.
 */
export function open({
  walk, build, say, areaName, separator, zone, zoneName, clock, dayOf, button, pressed, show, close,
  settle, choice, oneLine, heading, header, undoButton, priorityTitle, areas, leads, mayReport,
  order, equipment: readEquipment, problem,
}) {
  const field = (id, label, attributes) => ["div", { class: "field" }, ["label", { for: id }, label],
    ["input", { id, autocomplete: "off", ...attributes }]];
  const pair = ["div", { class: "pair" }, ["button", { type: "button", name: "cancel" }, say("cancel")],
    ["button", { class: "main" }, say("save")]];
  const fault = ["p", { class: "fault", role: "alert", hidden: "" }];
  /** The names of kinds of figures and of states of equipment. */
  const names = {
    salesPlanned: say("salesPlanned"), salesActual: say("salesActual"), crewPlanned: say("crewPlanned"),
    crewActual: say("crewActual"), faulty: say("faulty"), outOfOrder: say("outOfOrder"),
  };
  const hourName = (at) => `${String(at).padStart(2, "0")}:00`;

  /** Says in a form why nothing was done. */
  function complain(form, text, input = null) {
    const place = form.querySelector(".fault");
    place.hidden = false;
    place.textContent = text;
    input?.focus();
  }

  /** Shows a form, which does something when it is sent. */
  function ask(form, send) {
    form.querySelector("[name='cancel']").addEventListener("click", () => close(form));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send((id) => form.querySelector(`#${id}`)?.value.trim() ?? "");
    });
    show(form);
    form.querySelector("input, select, textarea").focus();
  }

  // Sales figures

  function sales() {
    const { shift, figures } = walk().state;
    const rows = hoursOf(shift, figures, Date.now(), zone).map((at) => {
      const own = [...figures].filter(([key]) => key.startsWith(`${at}/`));
      const told = kinds.flatMap(([kind, scale]) => {
        const entry = figures.get(`${at}/${kind}/`);
        if (!entry) return [];
        const text = kind.startsWith("sales") ? moneyOf(entry.value, separator())
          : textOf(entry.value, scale, separator());
        return [`${names[kind]} ${text}`];
      });
      const service = own.filter(([key]) => key.startsWith(`${at}/service/`)).map(([key, { value }]) => (
        `${key.slice(`${at}/service/`.length)} ${textOf(value, serviceScale, separator())}`));
      const all = [...told, ...service.sort()].join(" · ");
      if (!leads()) {
        return build(["section", { class: "card pictured" },
          ["div", {}, ["h2", {}, hourName(at)], ["p", { class: "where" }, all]]]);
      }
      const row = button("list", "", () => askFigures(at), { "data-key": `hour/${at}` });
      row.append(build(["span", { class: "name" }, hourName(at)]),
        build(["span", { class: "where" }, all]));
      return row;
    });
    return [header(), heading(say("sales")), ...rows, ...undoButton()];
  }

  function askFigures(at) {
    const before = (kind, name = "") => walk().state.figures.get(`${at}/${kind}/${name}`)?.value;
    const number = { inputmode: "decimal", maxlength: "14" };
    const old = new Map(kinds.map(([kind, scale]) => {
      const value = before(kind);
      return [kind, value === undefined ? "" : textOf(value, scale, separator())];
    }));
    const form = build(["form", { class: "typing" },
      ["h1", {}, `${say("sales")}, ${hourName(at)}`],
      ...kinds.map(([kind]) => field(kind, names[kind], { ...number, value: old.get(kind) })),
      field("measurement", say("measurement"), { maxlength: "60" }),
      field("measured", say("measured"), number), fault, pair]);
    ask(form, (typed) => {
      const changes = [];
      const add = (id, kind, name, scale) => {
        const value = valueOf(typed(id), scale);
        if (value === null) {
          complain(form, say("numberWrong"), form.querySelector(`#${id}`));
          return false;
        }
        changes.push({ hour: at, kind, name, value });
        return true;
      };
      for (const [kind, scale] of kinds) {
        const isNew = typed(kind) !== "" && typed(kind) !== old.get(kind);
        if (isNew && !add(kind, kind, "", scale)) return;
      }
      const name = oneLine(typed("measurement"));
      if (!name && typed("measured")) {
        complain(form, say("measurement"), form.querySelector("#measurement"));
        return;
      }
      if (name && !add("measured", "service", name, serviceScale)) return;
      settle(form, () => enter(changes, before, at));
    });
  }

  /** Keeps figures, one after the other. */
  async function enter(changes, before, at) {
    for (const figure of changes) {
      const earlier = before(figure.kind, figure.name);
      // The first figure of an hour can only be replaced.
      const undo = earlier === undefined ? null : () => ({
        title: `${figure.name || names[figure.kind]}, ${hourName(at)}`,
        change: { figure: { ...figure, value: earlier } },
      });
      if (await walk().keep({ figure }, undo) === null) return null;
    }
    return true;
  }

  // To-dos

  /** Asks what is to be different about a to-do. */
  function changeTodo(todo, title) {
    const { priorities } = walk().copy.snapshot.settings;
    const form = build(["form", { class: "typing" }, ["h1", {}, title],
      choice("priority", say("priority"), priorities.map((it) => [it.name, priorityTitle(it)])),
      field("assignee", say("assignee"), { maxlength: "80", value: todo.assignee }),
      field("due", say("due"), {
        // No other time can be kept.
        type: "datetime-local", min: "1970-01-02T00:00", max: "9999-12-30T23:59",
        value: todo.due === null ? "" : localText(todo.due, zone),
      }), fault, pair,
      ["button", { type: "button", class: "quiet", name: "discard" }, say("remove")]]);
    form.querySelector("#priority").value = todo.priority;
    const keep = (change, back) => settle(form, () => (
      walk().keep(change, back && (() => ({ title, change: back })))));
    form.querySelector("[name='discard']").addEventListener("click", () =>
      keep({ markTodo: { todo: todo.id, mark: "removed" } }, { markTodo: { todo: todo.id, mark: todo.mark } }));
    ask(form, (typed) => {
      // A time that wasn't touched keeps its seconds.
      const isKept = todo.due !== null && typed("due") === localText(todo.due, zone);
      const wish = {
        priority: typed("priority"), assignee: oneLine(typed("assignee")),
        due: isKept ? todo.due : timeOf(typed("due"), zone),
      };
      const change = changeOf(todo, wish);
      if (!change) return close(form);
      const after = { ...todo, priority: wish.priority || todo.priority, assignee: wish.assignee, due: wish.due };
      const back = changeOf(after, todo);
      return keep({ changeTodo: change }, back && { changeTodo: back });
    });
  }

  // Equipment, for which there must be a network

  /** The equipment that doesn't work, and why that isn't known; null before it was requested. */
  let found = null;
  /** The number of requests for it, and the number of the one whose answer is shown. */
  let [asked, shown] = [0, 0];

  async function load() {
    const number = asked += 1;
    const [pieces, error] = await readEquipment();
    // A later request was answered first, and its answer is newer.
    if (number < shown) return;
    shown = number;
    found = { pieces: pieces ?? found?.pieces ?? [], error };
    show();
  }

  /** Reports something; returns why it wasn't accepted, or an empty text. */
  async function report(name, area, state, text) {
    const error = await order("equipment", { name, area, state, text });
    if (!error) await load();
    return error?.message ?? "";
  }

  /** The equipment that is being reported as repaired. */
  const underWay = new Set();

  /** Reports that something works again, which holds up no other button until it is answered. */
  async function repair(name) {
    if (underWay.has(name)) return;
    underWay.add(name);
    try { problem(await report(name, "", "working", "")); } finally { underWay.delete(name); }
  }

  function equipment() {
    const rows = (found?.pieces ?? []).map(({ id, name, area, state, history = [] }) => {
      const [last] = history;
      const where = [names[state], area && areaName(area),
        last && `${dayOf(last.time)} ${clock(last.time, zoneName)}`].filter(Boolean).join(" · ");
      const row = build(["section", { class: "card todo", "data-key": id },
        ["div", {}, ["h2", {}, name], ["p", { class: "where" }, where],
          ...(last?.text ? [["p", { class: "said" }, `“${last.text}” ${last.by}`]] : [])]]);
      if (mayReport()) {
        row.append(button("main", say("repaired"), pressed(() => { repair(name); }),
          { "aria-label": `${say("repaired")}: ${name}` }));
      }
      return row;
    });
    const note = found?.error ? ["p", { class: "fault", role: "alert" }, found.error]
      : ["p", { class: "empty" }, found ? say("allWorks") : ""];
    return [header(), heading(say("equipment")), ...rows,
      ...(rows.length === 0 || found?.error ? [build(note)] : []),
      ...(mayReport() ? [button("main", say("reportFault"), () => askFault())] : [])];
  }

  function askFault() {
    const places = areas();
    const form = build(["form", { class: "typing" },
      ["h1", {}, say("reportFault")],
      field("piece", say("whatBroke"), { maxlength: "100", required: "" }),
      ...(places.length > 0 ? [choice("area", say("area"),
        [["", "–"], ...places.map((area) => [area, areaName(area)])])] : []),
      choice("state", say("state"), ["faulty", "outOfOrder"].map((it) => [it, names[it]])),
      ["div", { class: "field" }, ["label", { for: "line" }, say("whatIsWrong")],
        ["textarea", { id: "line", maxlength: "1000", rows: "2", required: "" }]], fault, pair]);
    ask(form, (typed) => {
      const [piece, text] = [oneLine(typed("piece")), typed("line")];
      if (!piece || !text) return undefined;
      return settle(form, async () => {
        const reason = await report(piece, typed("area"), typed("state"), text);
        if (reason) complain(form, reason);
        return reason ? null : true;
      });
    });
  }

  return { sales, changeTodo, equipment, load };
}
