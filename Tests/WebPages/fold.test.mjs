// The fold of shifts in JavaScript, by the rules of ShiftLog: node --test Tests/WebPages
import assert from "node:assert/strict";
import test from "node:test";
import { Shift, Zone, idText } from "../../Services/web-service/Web/fold.js";

const task = (id, more = {}) => ({
  id, parent: "", title: `Title of ${id}`, titles: {}, note: "", general: false, area: "kitchen",
  priority: "immediate", timeCritical: false, securityRound: false, link: "", ...more,
});
const templates = [{
  id: "list", kind: "preShift", name: "List", names: {},
  sections: [{
    id: "s", name: "Section", names: { nb: "Del" },
    tasks: [
      task("a"), task("b", { carryOut: 600, timeCritical: true }),
      task("p"), task("c", { parent: "p" }), task("d", { parent: "p" }),
    ],
  }],
}];
const settings = {
  priorities: [{ name: "immediate" }, { name: "today" }], travelPathInterval: 30, grace: 5,
  escalateAfter: 10, lateAfter: 5, language: "nb",
};
const start = Date.UTC(2026, 10, 23, 5);
let count = 0;
const begun = () => new Shift(
  { id: "shift", started: start, ended: 0, firstTravelPath: start + 3_600_000 }, settings, templates);
function operation(change, { device = "phone", sequence = count + 1, seen = sequence - 1, ...more } = {}) {
  count += 1;
  return {
    id: String(count).padStart(32, "0"), device, deviceSequence: count, deviceTime: start + count,
    time: start + count, sequence, seen, actor: "kari", actorName: "Kari", late: false, change,
    ...more,
  };
}
const mark = (task, finding, notApplicable = "") => ({ mark: { list: "list", task, finding, notApplicable } });

test("a task that is not ok makes a to-do until it is ok again", () => {
  const shift = begun();
  shift.apply(operation(mark("a", "notOk")));
  assert.deepEqual(shift.todos.map((todo) => [todo.id, todo.section]), [["list/a", "Del"]]);
  assert.equal(shift.progress().notOk, 1);
  shift.apply(operation(mark("a", "ok")));
  assert.deepEqual(shift.todos, []);
});

test("marks that were made apart contradict each other, and not ok counts", () => {
  const shift = begun();
  shift.apply(operation(mark("a", "notOk"), { sequence: 1, seen: 0 }));
  const second = operation(mark("a", "ok"), { device: "tablet", sequence: 2, seen: 0 });
  shift.apply(second);
  assert.equal(shift.state(0), "notOk");
  assert.ok(shift.isInReview(0));
  assert.ok(shift.isContradiction(second.id));
  shift.apply(operation(
    { review: { list: "list", task: "a", finding: "ok" } }, { sequence: 3, seen: 2 }));
  assert.equal(shift.state(0), "ok");
  assert.ok(!shift.isInReview(0));
});

test("an operation that comes twice has its effect once, and a late one has none", () => {
  const shift = begun();
  const note = operation({ note: { list: "list", task: "a", text: "x" } });
  shift.apply(note);
  shift.apply(note);
  assert.equal(shift.result(0).notes.length, 1);
  shift.apply(operation(mark("a", "ok"), { late: true }));
  assert.equal(shift.state(0), "unchecked");
  assert.equal(shift.appendix.length, 1);
});

test("a parent follows from its children and can't be marked", () => {
  const shift = begun();
  shift.apply(operation(mark("p", "ok")));
  assert.equal(shift.state(2), "unchecked");
  shift.apply(operation(mark("c", "ok")));
  shift.apply(operation(mark("d", "unspecified", "closed today")));
  assert.equal(shift.state(2), "ok");
  shift.apply(operation(mark("d", "notOk")));
  assert.equal(shift.state(2), "notOk");
});

test("a to-do that a person adds comes after those of lists, and can be done", () => {
  const shift = begun();
  const add = operation({
    addTodo: { title: "z", section: "", area: "kitchen", priority: "immediate", note: "", travelPath: "" },
  });
  shift.apply(add);
  shift.apply(operation(mark("a", "notOk")));
  assert.deepEqual(shift.todos.map((todo) => todo.id), ["list/a", idText(add.id)]);
  shift.apply(operation({ markTodo: { todo: idText(add.id), mark: "done" } }));
  assert.equal(shift.todos[1].done.name, "Kari");
});

test("a walk counts for the slot it ends in, or for the next if that is near", () => {
  const shift = begun();
  const first = shift.shift.firstTravelPath;
  assert.equal(shift.nextTravelPath(start), first);
  const walk = (time) => operation({ logTravelPath: { begun: "", text: "" } }, { time, deviceTime: time });
  shift.apply(walk(first - 4 * 60_000));
  assert.equal(shift.travelPathDue(first), null);
  assert.equal(shift.nextTravelPath(first), first + 1_800_000);
  shift.apply(walk(first + 10 * 60_000));
  assert.equal(shift.travelPathDue(first + 1_800_000), first + 1_800_000);
});

test("what waited on a device with a wrong clock counts when the service knows it was done", () => {
  const shift = begun();
  const first = shift.shift.firstTravelPath;
  const time = first + 20 * 60_000;
  const walk = (deviceTime, doneAt) => shift.apply(operation(
    { logTravelPath: { begun: "", text: "" } }, { time, deviceTime, doneAt }));
  walk(first - 50 * 60_000, first + 60_000);
  assert.equal(shift.walks.at(-1).stamp.time, first + 60_000);
  assert.ok(shift.walks.at(-1).stamp.byDeviceClock);
  walk(first - 50 * 60_000, time - 2_000);
  assert.equal(shift.walks.at(-1).stamp.time, time);
  walk(first + 60_000, 0);
  assert.equal(shift.walks.at(-1).stamp.time, first + 60_000);
});

test("a walk that was logged twice counts once", () => {
  const shift = begun();
  const first = shift.shift.firstTravelPath;
  const out = operation({ beginTravelPath: {} }, { time: first, deviceTime: first });
  shift.apply(out);
  for (const time of [first + 26 * 60_000, first + 27 * 60_000]) {
    shift.apply(operation(
      { logTravelPath: { begun: out.id, text: "" } }, { time, deviceTime: time }));
  }
  assert.equal(shift.travelPathDue(first), null);
  assert.equal(shift.nextTravelPath(first), first + 1_800_000);
});

test("a task is overdue after its grace in the zone of the site", () => {
  const shift = begun();
  const zone = new Zone("Europe/Oslo");
  const due = Date.UTC(2026, 10, 23, 9);
  assert.deepEqual(
    shift.dueTimes(zone), [{ key: "list/b", due, overdue: due + 300_000, escalation: due + 900_000 }]);
  assert.equal(shift.overdue(due + 299_999, zone).length, 0);
  assert.equal(shift.overdue(due + 300_000, zone).length, 1);
});

test("a shift that begins late reports the tasks that it should have begun with", () => {
  const zone = new Zone("Europe/Oslo");
  // At 15:45 in Oslo, and the task is due at 10:00.
  const started = Date.UTC(2026, 10, 23, 14, 45);
  const shift = new Shift(
    { id: "shift", started, ended: 0, firstTravelPath: started }, settings, templates);
  assert.deepEqual(
    shift.dueTimes(zone).map(({ due, overdue }) => [due, overdue]),
    [[Date.UTC(2026, 10, 23, 9), started + 300_000]]);
});

test("a time that the clock skips is the first after the gap, and one shown twice the first", () => {
  const zone = new Zone("Europe/Oslo");
  const day = (...date) => Date.UTC(...date) / 86_400_000;
  assert.equal(zone.instant(day(2026, 2, 29), 150), Date.UTC(2026, 2, 29, 1));
  assert.equal(zone.instant(day(2026, 9, 25), 150), Date.UTC(2026, 9, 25, 0, 30));
});

test("a figure that is changed again and again takes no longer each time", () => {
  const taken = (shifts) => {
    const number = 10_000 / shifts;
    const all = Array.from({ length: number }, (_, value) => operation(
      { figure: { hour: 12, kind: "salesActual", name: "", value } }, { sequence: value + 1 }));
    const began = performance.now();
    for (let shift = 0; shift < shifts; shift += 1) {
      const state = begun();
      for (const one of all) state.apply(one);
      const { value, replaced } = state.figures.get("12/salesActual/");
      assert.equal(value, number - 1);
      assert.deepEqual(replaced.slice(-2).map((it) => it.value), [number - 3, number - 2]);
      assert.equal(replaced.length, number - 1);
    }
    return performance.now() - began;
  };
  // The shortest of some attempts, because other programs slow each of them down.
  let [parts, whole] = [Infinity, Infinity];
  for (let attempt = 0; attempt < 20 && !(whole < parts * 5); attempt += 1) {
    parts = Math.min(parts, taken(100));
    whole = Math.min(whole, taken(1));
  }
  assert.ok(whole < parts * 5, `${whole} ms, and ${parts} ms in parts`);
});

test("an operation that the service has not placed yet comes after all it has placed", () => {
  const shift = begun();
  shift.apply(operation(mark("a", "ok"), { sequence: 5, seen: 4, device: "tablet" }));
  shift.apply(operation(mark("a", "notOk"), { sequence: 0, seen: 5, time: 0 }));
  assert.equal(shift.head, 5);
  assert.equal(shift.state(0), "notOk");
  assert.ok(shift.result(0).shown.stamp.sequence > 2 ** 51);
});
