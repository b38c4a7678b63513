// A shift as it follows from its lists and its operations, folded as the service folds them. It uses
// no clock and no page: the time is an argument where it matters.
//
// The messages come as the JSON that the service writes: bytes as hexadecimal digits, values of an
// enumeration by their names, times as milliseconds since 1970.

import { canFail } from "./answers.js";

/** The difference in milliseconds beyond which a clock is wrong or an operation waited. */
const skew = 60_000;
/** Beyond all places that the service gives, and still exact as a number. */
const unplaced = 2 ** 52;
const minute = 60_000;
const hour = 60 * minute;
/** How long before the beginning of the shift a task may be due. */
const earliestDue = 6 * hour;
/** The first number of a to-do that has no task. */
const firstNumber = 1001;

/** The text of an id as people see it, from its 32 hexadecimal digits. */
export const idText = (hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Who did something, and when. */
function stampOf(operation, started, place) {
  // What waits on this device has only the device's time.
  const made = operation.doneAt || operation.deviceTime;
  const waited = operation.time - made > skew;
  const byDeviceClock = operation.time === 0 || (waited && made >= started);
  return {
    account: operation.actor, name: operation.actorName, device: operation.device,
    time: byDeviceClock ? made : operation.time, byDeviceClock,
    deviceTime: operation.deviceTime,
    sequence: operation.sequence === 0 ? unplaced + place : operation.sequence,
    seen: operation.seen,
  };
}

/** Who did something before the shift, or in an earlier one: with the place and the knowledge of the
 *  operation that carries it. */
const carriedStamp = (deed, carrier) => ({
  account: deed.account, name: deed.name, device: carrier.device, time: deed.time,
  byDeviceClock: false, deviceTime: deed.time, sequence: carrier.sequence, seen: carrier.seen,
});

/** True when the author of the later could know of the earlier. */
const knows = (later, earlier) =>
  earlier.device === later.device || earlier.sequence <= later.seen;

const findings = { ok: "ok", notOk: "notOk" };
const taskState = (finding, reason) =>
  findings[finding] ?? (reason === "" ? "unchecked" : "notApplicable");

/** What crew members may do with the tasks of their areas in a list, by its number. */
const crewRights = ["unspecified", "tick", "inspect"];

/** The numbers of the to-dos of a shift that have no task: each is used once. */
class TodoNumbers {
  #taken = new Set();
  #next = firstNumber;

  /** Uses up a number: the wanted one, or the lowest free one if that was used before or is too low. */
  claim(wanted) {
    if (wanted >= firstNumber && !this.#taken.has(wanted)) {
      this.#taken.add(wanted);
      return wanted;
    }
    while (this.#taken.has(this.#next)) this.#next += 1;
    this.#taken.add(this.#next);
    return this.#next;
  }
}

/** How many travel paths of a shift count. A clock far ahead would make millions. */
const mostSlots = 20_000;

/** How many entries about one thing may stand beside each other. */
const mostStanding = 30;

/** Standing entries without the oldest that a later one repeats, if there are too many. */
function withoutRepeated(standing, isSame) {
  if (standing.length <= mostStanding) return standing;
  const repeated = standing.findIndex(
    (one, place) => standing.slice(place + 1).some((other) => isSame(one, other)));
  return standing.filter((_, place) => place !== repeated);
}

/** The record of a to-do: its marks that nobody who knew them has overruled, and its notes. */
class TodoRecord {
  made = null;
  marks = [];
  standing = [];
  notes = [];
  priority = "";

  constructor({ assignee = "", due = 0 } = {}) {
    this.assignee = assignee;
    this.due = due;
  }

  /** The entry that is shown: to be safe, the last that says it is open, or else the last. */
  get shown() {
    const open = this.standing.findLast((index) => this.marks[index].mark === "open");
    const index = open ?? this.standing.at(-1);
    return index === undefined ? null : this.marks[index];
  }

  get mark() {
    return this.shown?.mark ?? "open";
  }

  /** Opens it, because its task was found not ok or because a person adds it. */
  open(stamp, anew) {
    const wasOpen = this.mark === "open";
    this.enter("open", stamp, false);
    if (!this.made || anew || (!wasOpen && this.mark === "open")) this.made = stamp;
  }

  /** @param isMark false when it is made, which its marks can't contradict. */
  enter(mark, stamp, isMark = true) {
    this.standing = this.standing.filter((index) => !knows(stamp, this.marks[index].stamp));
    this.standing.push(this.marks.length);
    this.marks.push({ mark, stamp, isMark });
    this.standing = withoutRepeated(this.standing, (one, other) => (
      this.marks[one].mark === this.marks[other].mark
      && this.marks[one].isMark === this.marks[other].isMark));
  }

  change({ assignee, due, neverDue, priority }) {
    if (assignee !== undefined && assignee !== null) this.assignee = assignee;
    if (due !== 0 || neverDue) this.due = due;
    if (priority !== "") this.priority = priority;
  }

  /** Who set the shown state, and when, if it is this state; else null. */
  stampOf(mark) {
    return this.shown?.mark === mark ? this.shown.stamp : null;
  }

  /** The standing marks that contradict a new one whose author could not know them. */
  contradictedBy(mark, stamp) {
    return this.standing.map((index) => this.marks[index]).filter(
      (other) => other.isMark && !knows(stamp, other.stamp) && other.mark !== mark);
  }

  /** True while marks that were made independently contradict each other. */
  get isContradictory() {
    const marks = this.standing.map((index) => this.marks[index]).filter(({ isMark }) => isMark);
    return marks.some(({ mark }) => mark !== marks[0].mark);
  }
}

/** The collator of each language: made once, because that takes longer than a comparison. */
const collators = new Map();
function collatorOf(language) {
  const known = collators.get(language);
  if (known) return known;
  const collator = new Intl.Collator(language, { sensitivity: "accent" });
  collators.set(language, collator);
  return collator;
}

/** A shift. The service and every working copy apply the same operations and get the same state. */
export class Shift {
  /** The to-dos in their order, until something changes. */
  #todos = null;

  /**
   * A shift before its first operation.
   *
   * @param shift the shift as it began.
   * @param settings the settings that it began with.
   * @param templates the lists that it uses, in their order.
   */
  constructor(shift, settings, templates) {
    this.shift = { ...shift };
    this.settings = settings;
    this.templates = templates;
    this.tasks = [];
    this.positions = new Map();
    for (const [list, template] of templates.entries()) {
      for (const [section, part] of template.sections.entries()) {
        for (const task of part.tasks) this.#place(template, task, list, section);
      }
    }
    this.records = this.tasks.map(() => ({
      marks: [], standing: [], notes: [], todo: new TodoRecord(),
    }));
    this.log = [];
    this.head = 0;
    this.appendix = [];
    this.done = null;
    this.ownTodos = [];
    this.ownTodoPositions = new Map();
    this.numbers = new TodoNumbers();
    this.beginnings = [];
    this.walks = [];
    this.figures = new Map();
    this.devices = new Map();
    this.known = new Set();
    this.contradictions = [];
    /** What crew members may do, where it was decided in the shift, by list and account. */
    this.crewRights = new Map();
  }

  #place(template, task, list, section) {
    const key = `${template.id}/${task.id}`;
    if (this.positions.has(key)) return;
    const parent = this.positions.get(`${template.id}/${task.parent}`) ?? null;
    const position = this.tasks.length;
    this.positions.set(key, position);
    if (parent !== null) this.tasks[parent].children.push(position);
    this.tasks.push({ key, task, list, section, parent, children: [] });
  }

  get isOpen() {
    return this.shift.ended === 0;
  }

  get language() {
    return this.settings.language || "en";
  }

  title(task) {
    return task.titles[this.language] ?? task.title;
  }

  name(part) {
    return part.names[this.language] ?? part.name;
  }

  sectionOf(listed) {
    return this.templates[listed.list].sections[listed.section];
  }

  /** True when a task may be found not ok. */
  allowsNotOk(listed) {
    return ["preShift", "travelPath"].includes(this.templates[listed.list].kind)
      || (listed.task.answer ? canFail(listed.task.answer) : false);
  }

  /** What a crew member may do with the tasks of their areas in a list: `inspect`, `tick`, or
   *  `unspecified` for nothing.
   *
   * @param account the name of the account; empty for everyone.
   */
  crewMay(list, account = "") {
    return this.crewRights.get(`${list}/${account.toLowerCase()}`) ?? this.crewRights.get(`${list}/`)
      ?? this.templates.find(({ id }) => id === list)?.crew ?? "unspecified";
  }

  /** Applies an operation. One that was applied before changes nothing. */
  apply(operation) {
    if (this.known.has(operation.id)) return;
    this.#todos = null;
    this.known.add(operation.id);
    const stamp = stampOf(operation, this.shift.started, this.log.length);
    this.log.push(operation);
    this.head = Math.max(this.head, operation.sequence);
    if (operation.deviceSequence > 0) {
      const newest = this.devices.get(operation.device) ?? 0;
      this.devices.set(operation.device, Math.max(newest, operation.deviceSequence));
    }
    if (operation.late) {
      this.appendix.push(operation);
      // Its number is used up, so that it never means another to-do.
      if (operation.change?.addTodo) this.numbers.claim(operation.change.addTodo.number);
      return;
    }
    const [kind, value] = Object.entries(operation.change ?? {})[0] ?? [];
    this.#folds[kind]?.call(this, value, stamp, operation);
  }

  #folds = {
    begun(begun, stamp) {
      for (const todo of begun.todos) this.#carry(todo, stamp);
    },
    carry({ todo }, stamp) {
      if (todo) this.#carry(todo, stamp);
    },
    mark(mark, stamp, operation) {
      const state = taskState(mark.finding, mark.notApplicable);
      const { notApplicable: reason, answer = null } = mark;
      this.#mark(`${mark.list}/${mark.task}`, { state, reason, answer }, stamp, operation, false);
    },
    review(review, stamp, operation) {
      const state = taskState(review.finding, "");
      const key = `${review.list}/${review.task}`;
      this.#mark(key, { state, reason: "", answer: null }, stamp, operation, true);
    },
    note(note, stamp) {
      const position = this.positions.get(`${note.list}/${note.task}`);
      if (position !== undefined) this.records[position].notes.push({ text: note.text, stamp });
    },
    addTodo(content, stamp, operation) {
      const id = idText(operation.id);
      const record = new TodoRecord(content);
      record.open(stamp, true);
      if (content.note !== "") record.notes = [{ text: content.note, stamp }];
      this.ownTodoPositions.set(id, this.ownTodos.length);
      this.ownTodos.push({
        id, number: this.numbers.claim(content.number), content, made: stamp, record, origin: null,
      });
    },
    markTodo(mark, stamp, operation) {
      if (!["open", "done", "removed"].includes(mark.mark)) return;
      const record = this.#todoRecord(mark.todo);
      for (const other of record?.contradictedBy(mark.mark, stamp) ?? []) {
        this.#contradict(
          "todo", mark.todo, [other.mark, other.stamp], [mark.mark, stamp], operation);
      }
      record?.enter(mark.mark, stamp);
    },
    changeTodo(change) {
      this.#todoRecord(change.todo)?.change(change);
    },
    noteTodo(note, stamp) {
      this.#todoRecord(note.todo)?.notes.push({ text: note.text, stamp });
    },
    beginTravelPath(_, stamp, operation) {
      this.beginnings.push({ id: operation.id, stamp });
    },
    logTravelPath(log, stamp, operation) {
      this.walks.push({ id: operation.id, begun: log.begun, text: log.text, stamp });
    },
    figure(figure, stamp, operation) {
      const key = `${figure.hour}/${figure.kind}/${figure.name}`;
      const before = this.figures.get(key);
      // The same list, not a copy, which would take longer with each change.
      const replaced = before?.replaced ?? [];
      if (before) replaced.push({ value: before.value, stamp: before.stamp });
      // A value that was replaced by someone who knew it no longer contradicts anything.
      if (before && before.value !== figure.value && !knows(stamp, before.stamp)) {
        this.#contradict(
          "figure", key, [before.value, before.stamp], [figure.value, stamp], operation);
      }
      this.figures.set(key, { value: figure.value, stamp, replaced });
    },
    letCrew({ list, may, account }) {
      if (crewRights[may]) this.crewRights.set(`${list}/${account.toLowerCase()}`, crewRights[may]);
    },
    ended(done, _, operation) {
      this.done = done;
      this.shift.ended = operation.time;
    },
  };

  #mark(key, { state, reason, answer }, stamp, operation, isReview) {
    const position = this.positions.get(key);
    if (position === undefined || this.tasks[position].children.length > 0) return;
    const record = this.records[position];
    const wasNotOk = this.#shownState(record) === "notOk";
    for (const other of record.standing.map((index) => record.marks[index])) {
      if (knows(stamp, other.stamp) || other.state === state) continue;
      this.#contradict("task", key, [other.state, other.stamp], [state, stamp], operation);
    }
    record.standing = record.standing.filter((index) => !knows(stamp, record.marks[index].stamp));
    record.standing.push(record.marks.length);
    record.marks.push({ state, reason, answer, stamp, isReview });
    record.standing = withoutRepeated(record.standing, (one, other) => (
      record.marks[one].state === record.marks[other].state));
    if (state === "notOk") record.todo.open(stamp, !wasNotOk);
  }

  /** Records that something contradicts what its author could not know. */
  #contradict(about, subject, [first, firstStamp], [second, secondStamp], operation) {
    this.contradictions.push({
      about, subject, first: { value: String(first), stamp: firstStamp },
      second: { value: String(second), stamp: secondStamp }, operation: operation.id,
    });
  }

  /** True when an operation contradicted something that its author could not know. */
  isContradiction(id) {
    return this.contradictions.some(({ operation }) => operation === id);
  }

  /** The contradictions that nobody who knew both sides has decided. */
  get openContradictions() {
    return this.contradictions.filter(({ about, subject, first, second }) => {
      if (about === "task") {
        const position = this.positions.get(subject);
        return position !== undefined && this.isInReview(position);
      }
      if (about === "todo") return this.#todoRecord(subject)?.isContradictory ?? false;
      const stamp = this.figures.get(subject)?.stamp;
      return stamp !== undefined && !(stamp.sequence > second.stamp.sequence
        && knows(stamp, first.stamp) && knows(stamp, second.stamp));
    });
  }

  /** Takes over a to-do of an earlier shift. */
  #carry(todo, stamp) {
    if (this.ownTodoPositions.has(todo.id)) return;
    const by = (deed) => (deed ? carriedStamp(deed, stamp) : stamp);
    const made = by(todo.made);
    const record = new TodoRecord(todo.content);
    record.open(made, true);
    if (todo.mark === "done" || todo.mark === "removed") record.enter(todo.mark, by(todo.marked));
    record.notes = todo.notes.map((deed) => ({ text: deed.text, stamp: by(deed) }));
    this.ownTodoPositions.set(todo.id, this.ownTodos.length);
    this.ownTodos.push({
      id: todo.id, number: this.numbers.claim(todo.content.number), content: todo.content, made,
      record, origin: {
        shift: todo.shift, task: todo.task === "" ? null : `${todo.list}/${todo.task}`,
        handovers: todo.handovers,
      },
    });
  }

  #todoRecord(id) {
    const own = this.ownTodoPositions.get(id);
    if (own !== undefined) return this.ownTodos[own].record;
    const position = this.positions.get(id);
    return position === undefined ? null : this.records[position].todo;
  }

  // What is shown of tasks

  #shown(record) {
    const notOk = record.standing.findLast((index) => record.marks[index].state === "notOk");
    const index = notOk ?? record.standing.at(-1);
    return index === undefined ? null : record.marks[index];
  }

  #shownState(record) {
    return this.#shown(record)?.state ?? "unchecked";
  }

  /** The state of a task; a parent's follows from its children. */
  state(position) {
    const { children } = this.tasks[position];
    if (children.length === 0) return this.#shownState(this.records[position]);
    const states = children.map((child) => this.state(child));
    if (states.includes("notOk")) return "notOk";
    return states.includes("unchecked") ? "unchecked" : "ok";
  }

  /** True when independent marks contradict each other and nobody has decided. */
  isInReview(position) {
    const { marks, standing } = this.records[position];
    return standing.some((index) => marks[index].state !== marks[standing[0]].state);
  }

  /** The result of a task, by its index. */
  result(position) {
    const record = this.records[position];
    return {
      listed: this.tasks[position], state: this.state(position), shown: this.#shown(record),
      standing: record.standing.map((index) => record.marks[index]), marks: record.marks,
      notes: record.notes, isInReview: this.isInReview(position),
    };
  }

  /** The progress of a list, of a section of it, or of all lists. */
  progress(list = null, section = null) {
    const count = { tasks: 0, ok: 0, notOk: 0, notApplicable: 0, unchecked: 0 };
    for (const [position, listed] of this.tasks.entries()) {
      if (listed.children.length > 0) continue;
      if (list !== null && this.templates[listed.list].id !== list) continue;
      if (section !== null && this.sectionOf(listed).id !== section) continue;
      count.tasks += 1;
      count[this.state(position)] += 1;
    }
    return count;
  }

  // To-dos

  #generatedTodo(position) {
    const listed = this.tasks[position];
    const { todo, notes } = this.records[position];
    if (listed.children.length > 0 || this.state(position) !== "notOk" || !todo.made) return null;
    if (this.#isCovered(listed.key, this.records[position])) return null;
    return {
      id: listed.key, number: position + 1, task: listed.key, title: this.title(listed.task),
      section: this.name(this.sectionOf(listed)), area: listed.task.area,
      priority: todo.priority || listed.task.priority, assignee: todo.assignee,
      due: todo.due || null, mark: todo.mark, standingNote: listed.task.note, taskNotes: notes,
      notes: todo.notes, photos: this.#shown(this.records[position])?.answer?.value.photos?.photos ?? [],
      made: todo.made, done: todo.stampOf("done"),
      removed: todo.stampOf("removed"), isInReview: this.isInReview(position), travelPath: "",
      origin: null,
    };
  }

  /** True while the to-do that an earlier shift left open for a task stands in for the task's own. A
   *  task that is found not ok after that one was done has a to-do again. */
  #isCovered(key, { marks }) {
    const found = marks.findLast(({ state }) => state === "notOk")?.stamp.sequence ?? 0;
    return this.ownTodos.some(({ origin, record }) => origin?.task === key
      && (record.mark === "open" || (record.shown && found <= record.shown.stamp.sequence)));
  }

  #ownTodo({ id, number, content, made, record, origin }) {
    return {
      id, number, task: null, title: content.title, section: content.section, area: content.area,
      priority: record.priority || content.priority, assignee: record.assignee,
      due: record.due || null, mark: record.mark, standingNote: "", taskNotes: [],
      notes: record.notes, photos: content.photos ?? [], made, done: record.stampOf("done"), removed: record.stampOf("removed"),
      isInReview: false, travelPath: content.travelPath, origin,
    };
  }

  /** The to-dos except removed ones, by priority, by section as in the lists, and by title. */
  get todos() {
    this.#todos ??= this.#sortedTodos();
    return this.#todos;
  }

  #sortedTodos() {
    const generated = this.tasks.map((_, position) => this.#generatedTodo(position));
    const all = [...generated.filter(Boolean), ...this.ownTodos.map((own) => this.#ownTodo(own))];
    const first = (names) => new Map([...names.entries()].reverse().map(([at, name]) => [name, at]));
    const priorities = first(this.settings.priorities.map((priority) => priority.name));
    const sections = first(
      this.templates.flatMap((template) => template.sections.map((part) => this.name(part))));
    const compare = (a, b) => collatorOf(this.language).compare(a, b);
    const rank = (ranks, name) => ranks.get(name) ?? Number.MAX_SAFE_INTEGER;
    // A to-do without a section comes after all that have one.
    const bySection = (a, b) =>
      a === b ? 0 : a === "" ? 1 : b === "" ? -1 : compare(a, b);
    return all.filter((todo) => todo.mark !== "removed").sort((a, b) =>
      rank(priorities, a.priority) - rank(priorities, b.priority)
      || rank(sections, a.section) - rank(sections, b.section)
      || bySection(a.section, b.section) || compare(a.title, b.title)
      || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  // Times

  /** The tasks with a time, ordered by it, with when each is due and overdue. */
  dueTimes(zone) {
    const grace = this.settings.grace * minute;
    const due = [];
    for (const listed of this.tasks) {
      if (listed.children.length > 0) continue;
      const timed = this.#timed(listed);
      if (!timed) continue;
      const time = zone.first(timed.carryOut, this.shift.started - earliestDue);
      const overdue = Math.max(time, this.shift.started) + grace;
      const escalation = timed.timeCritical ? overdue + this.settings.escalateAfter * minute : null;
      due.push({ key: listed.key, due: time, overdue, escalation });
    }
    return due.sort((a, b) => a.due - b.due || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** The task itself if it has a time, else its nearest ancestor that has one. */
  #timed(listed) {
    for (let at = listed; at; at = at.parent === null ? null : this.tasks[at.parent]) {
      if (at.task.carryOut !== undefined && at.task.carryOut !== null) return at.task;
    }
    return null;
  }

  /** The tasks that are overdue at a time and not done. */
  overdue(now, zone) {
    if (!this.isOpen) return [];
    return this.dueTimes(zone).filter(
      (due) => due.overdue <= now && this.state(this.positions.get(due.key)) === "unchecked");
  }

  /** The open to-dos that have a time, ordered by it, with when each is due and overdue. */
  get dueTodos() {
    if (!this.isOpen) return [];
    const generated = this.tasks.map((_, position) => this.#generatedTodo(position));
    const all = [...this.ownTodos.map((own) => this.#ownTodo(own)), ...generated.filter(Boolean)];
    return all.filter(({ due, mark }) => due !== null && mark === "open").map(({ id, due }) => {
      const overdue = Math.max(due, this.shift.started) + this.settings.grace * minute;
      return { key: id, due, overdue, escalation: overdue + this.settings.escalateAfter * minute };
    }).sort((a, b) => a.due - b.due || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  // Travel paths

  get #interval() {
    return Math.max(1, this.settings.travelPathInterval) * minute;
  }

  #due(slot) {
    return this.shift.firstTravelPath + slot * this.#interval;
  }

  #slot(time) {
    const passed = time - this.shift.firstTravelPath;
    return passed < 0 ? -1 : Math.floor(passed / this.#interval);
  }

  get #walksInTime() {
    return [...this.walks].sort(
      (a, b) => a.stamp.time - b.stamp.time || a.stamp.sequence - b.stamp.sequence);
  }

  #walkedSlots() {
    const bySlot = new Map();
    const byWalk = new Map();
    const known = new Set();
    for (const walk of this.#walksInTime) {
      // Logged twice, walked once.
      if (walk.begun && known.has(walk.begun)) continue;
      known.add(walk.begun);
      let number = this.#slot(walk.stamp.time);
      if (number < 0 || bySlot.has(number)) {
        number += 1;
        const isNear = this.#due(number) - walk.stamp.time <= Math.floor(this.#interval / 6);
        if (!isNear || bySlot.has(number)) continue;
      }
      bySlot.set(number, walk);
      byWalk.set(walk.id, number);
    }
    return { bySlot, byWalk };
  }

  /** The travel paths in order: the walked ones by the time of their end, then the others. */
  get travelPaths() {
    const { byWalk } = this.#walkedSlots();
    const byBeginning = new Map([...this.beginnings].reverse().map(({ id, stamp }) => [id, stamp]));
    const findings = (begun) => begun === "" ? []
      : this.ownTodos.filter((own) => own.content.travelPath === begun).map((own) => own.id);
    const walked = this.#walksInTime.map(({ id, begun, text, stamp }) => ({
      begun, began: byBeginning.get(begun) ?? null, logged: stamp, text,
      slot: byWalk.has(id) ? this.#due(byWalk.get(id)) : null, findings: findings(begun),
    }));
    const ended = new Set(this.walks.map(({ begun }) => begun));
    const underWay = this.beginnings.filter(({ id }) => !ended.has(id)).map(({ id, stamp }) => ({
      begun: id, began: stamp, logged: null, text: "", slot: null, findings: findings(id),
    }));
    return [...walked, ...underWay];
  }

  /** The slots that have begun, in order, with their states: open, done, late or missed. */
  slots(now) {
    const { bySlot } = this.#walkedSlots();
    const until = this.isOpen ? now : Math.min(now, this.shift.ended);
    const slots = [];
    for (let number = 0; number < mostSlots; number += 1) {
      const due = this.#due(number);
      const walk = bySlot.get(number);
      if (!(due < until || (this.isOpen && (due === until || walk)))) break;
      const lateFrom = due + this.settings.lateAfter * minute;
      const add = (state, logged) => slots.push({ due, state, logged });
      if (walk) add(walk.stamp.time < lateFrom ? "done" : "late", walk.stamp);
      else if (due + this.#interval <= until) add("missed", null);
      else if (this.isOpen) add("open", null);
      else if (lateFrom <= until) add("missed", null);
    }
    return slots;
  }

  /** Since when a travel path has been due; null when none is. */
  travelPathDue(now) {
    if (!this.isOpen || now < this.shift.firstTravelPath) return null;
    const number = this.#slot(now);
    return this.#walkedSlots().bySlot.has(number) ? null : this.#due(number);
  }

  /** When the next unwalked travel path is due after a time; null when the shift has ended. */
  nextTravelPath(now) {
    if (!this.isOpen) return null;
    const walked = this.#walkedSlots().bySlot;
    let number = this.#slot(now) + 1;
    while (walked.has(number)) number += 1;
    return this.#due(number);
  }
}

/** The local time of an IANA zone, by its offset from UTC alone, as the service computes it. */
export class Zone {
  #name;
  /** Made when it is first needed, because that takes a while. */
  #format = null;
  /** The results of `first`, which never change and take a while to compute. */
  #firsts = new Map();

  constructor(name) {
    this.#name = name;
  }

  /** The date and time at a second since 1970, in parts. */
  #parts(second) {
    this.#format ??= new Intl.DateTimeFormat("en-US", {
      timeZone: this.#name, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
      hour: "numeric", minute: "numeric", second: "numeric",
    });
    return this.#format.formatToParts(second * 1000);
  }

  /** The seconds that the zone is ahead of UTC at a second since 1970. */
  offset(second) {
    const parts = {};
    for (const { type, value } of this.#parts(second)) {
      parts[type] = Number(value);
    }
    const local = Date.UTC(
      parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
    return local / 1000 - second;
  }

  /** The first instant, in milliseconds, at which clocks show a time on a day, counted from 1970. */
  instant(day, minutes) {
    const wanted = day * 86_400 + minutes * 60;
    let earlier = wanted - 129_600;
    let later = wanted + 129_600;
    const before = this.offset(earlier);
    const after = this.offset(later);
    if (before === after) return (wanted - before) * 1000;
    while (later - earlier > 1) {
      const middle = earlier + Math.floor((later - earlier) / 2);
      if (this.offset(middle) === before) earlier = middle;
      else later = middle;
    }
    const instant = wanted - before < later ? wanted - before : Math.max(later, wanted - after);
    return instant * 1000;
  }

  /** The first instant with that local time that is not before a bound. */
  first(minutes, bound) {
    const key = `${minutes} ${bound}`;
    const known = this.#firsts.get(key);
    if (known !== undefined) return known;
    const first = this.#find(minutes, bound);
    if (this.#firsts.size >= 1000) this.#firsts.clear();
    this.#firsts.set(key, first);
    return first;
  }

  #find(minutes, bound) {
    const second = Math.floor(bound / 1000);
    const day = Math.floor((second + this.offset(second)) / 86_400);
    const today = this.instant(day, minutes);
    return today >= bound ? today : this.instant(day + 1, minutes);
  }
}
