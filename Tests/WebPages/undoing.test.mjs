// Tests of Services/web-service/Web/undoing.js.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Undoing, unmark } from "../../Services/web-service/Web/undoing.js";

const hex = (number) => String(number).padStart(32, "0");
const mark = (number, task, finding = "ok") =>
  ({ id: hex(number), change: { mark: { list: "l", task, finding, notApplicable: "" } } });
const place = { list: "l", position: 0 };
const made = ({ id }) => ({ id, title: "a task", change: { undo: id }, place });

test("a task gets the mark back that it had, with its answer or its reason", () => {
  const answer = { value: { number: 4200 } };
  const cases = [
    [null, { finding: "unspecified", notApplicable: "" }],
    [{ state: "unchecked", reason: "", answer: null }, { finding: "unspecified", notApplicable: "" }],
    [{ state: "notOk", reason: "", answer: null }, { finding: "notOk", notApplicable: "" }],
    [{ state: "ok", reason: "", answer }, { finding: "ok", notApplicable: "", answer }],
    [{ state: "notApplicable", reason: "closed", answer: null },
      { finding: "unspecified", notApplicable: "closed" }],
  ];
  for (const [before, wanted] of cases) {
    assert.deepEqual(unmark("l", "t", before), { mark: { list: "l", task: "t", ...wanted } });
  }
});

test("changes are undone from the last to the first, whatever undid the later ones", () => {
  const undoing = new Undoing();
  const operations = [mark(1, "t"), mark(2, "t", "notOk"), mark(3, "u")];
  for (const operation of operations) undoing.add(made(operation));
  for (const [at, number] of [[2, 4], [1, 5], [0, 6]]) {
    const last = undoing.take(operations);
    assert.equal(last.id, operations[at].id);
    assert.equal(last.stands, true);
    operations.push(mark(number, at === 2 ? "u" : "t"));
    undoing.settle(last.id, hex(number));
  }
  assert.equal(undoing.last, null);
});

test("what somebody else changed since, or what was refused, is not undone", () => {
  const todo = (number, id) => ({ id: hex(number), change: { markTodo: { todo: id, mark: "done" } } });
  const own = "00000000-0000-0000-0000-000000000001";
  const add = { id: hex(1), change: { addTodo: { title: "tap" } } };
  const figure = (number, hour) => (
    { id: hex(number), change: { figure: { hour, kind: "salesActual", name: "", value: number } } });
  const cases = [
    [figure(1, 12), [figure(2, 12)], false],
    [figure(1, 12), [figure(2, 13)], true],
    [mark(1, "t"), [mark(2, "t", "notOk")], false],
    [mark(1, "t"), [mark(2, "u", "notOk")], true],
    [mark(1, "t"), [{ id: hex(2), change: { review: { list: "l", task: "t", finding: "ok" } } }], false],
    // The to-do for a task has the task's name.
    [mark(1, "t"), [todo(2, "l/t")], false],
    [add, [todo(2, own)], false],
    [add, [{ id: hex(2), change: { changeTodo: { todo: own, priority: "soon" } } }], false],
    [add, [{ id: hex(2), change: { beginTravelPath: {} } }], true],
  ];
  for (const [operation, later, wanted] of cases) {
    const undoing = new Undoing();
    undoing.add(made(operation));
    assert.equal(undoing.take([operation, ...later]).stands, wanted);
  }
  const undoing = new Undoing();
  undoing.add(made(mark(1, "t")));
  assert.equal(undoing.take([mark(2, "u")]).stands, false);
});
