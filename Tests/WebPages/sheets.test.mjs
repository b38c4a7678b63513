// Tests of Services/web-service/Web/sheets.js: the same rules as SalesReport.swift and the command line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Zone } from "../../Services/web-service/Web/fold.js";
import {
  changeOf, hoursOf, localText, moneyOf, open, textOf, timeOf, valueOf,
} from "../../Services/web-service/Web/sheets.js";

const zone = new Zone("Europe/Berlin");
/** A time of 5 January 2026 in Berlin. */
const at = (hours, minutes) => Date.UTC(2026, 0, 5, hours - 1, minutes);

test("the report has the hours of the shift so far, and all others with a figure, in its order", () => {
  const figures = new Map([["9/salesPlanned/", {}], ["12/service/a/b", {}]]);
  const open = { started: at(10, 20), ended: 0 };
  assert.deepEqual(hoursOf(open, figures, at(11, 50), zone), [10, 11, 12, 9]);
  assert.deepEqual(hoursOf(open, new Map(), at(9, 0), zone), [10]);
  assert.deepEqual(hoursOf({ ...open, ended: at(11, 10) }, new Map(), at(20, 0), zone), [10, 11]);
  assert.deepEqual(hoursOf({ ...open, started: at(23, 30) }, new Map(), at(25, 10), zone), [23, 0, 1]);
  assert.equal(hoursOf(open, new Map(), at(100, 0), zone).length, 24);
});

test("a figure is read in its unit, and shown as it was typed", () => {
  const cases = [
    ["2345,50", 100, 234550], ["14.5", 60, 870], ["94", 1000, 94000], ["0", 100, 0],
    ["-1", 100, null], ["", 100, null], ["many", 60, null],
  ];
  for (const [typed, scale, wanted] of cases) assert.equal(valueOf(typed, scale), wanted, typed);
  assert.equal(textOf(234550, 100), "2345.5");
  assert.equal(textOf(870, 60), "14.5");
  assert.equal(textOf(20, 60, ","), "0,333");
  assert.deepEqual([0, 5, 234550].map((value) => moneyOf(value, ",")), ["0,00", "0,05", "2345,50"]);
});

test("a time is shown and read in the zone of the site", () => {
  const time = Date.UTC(2026, 6, 5, 12, 30);
  assert.equal(localText(time, zone), "2026-07-05T14:30");
  assert.equal(timeOf("2026-07-05T14:30", zone), time);
  assert.equal(timeOf("", zone), null);
});

test("a change of a to-do has what differs, and nothing else", () => {
  const todo = { id: "t", priority: "soon", assignee: "", due: null };
  const wish = { priority: "soon", assignee: "", due: null };
  assert.equal(changeOf(todo, wish), null);
  const more = { priority: "now", assignee: "Ann", due: 5 };
  assert.deepEqual(changeOf(todo, more),
    { todo: "t", priority: "now", assignee: "Ann", due: 5, neverDue: false });
  assert.deepEqual(changeOf({ ...todo, ...more }, wish),
    { todo: "t", priority: "soon", assignee: "", due: 0, neverDue: true });
  assert.deepEqual(changeOf(todo, { ...wish, priority: "now" }),
    { todo: "t", priority: "now", due: 0, neverDue: false });
});

test("only those who lead the shift are offered to enter figures, and all may read them", () => {
  const figures = new Map([["10/salesActual/", { value: 234500 }]]);
  const own = { state: { shift: { started: 0, ended: 3_600_000 }, figures } };
  const shown = (leads) => {
    const buttons = [];
    const build = (node) => ({ node, append(...all) { this.node = [this.node, all]; } });
    const sheets = open({
      walk: () => own, build, say: String, separator: () => ".", zone: { offset: () => 0 },
      button: (kind, text, act, { "data-key": key }) => {
        buttons.push(key);
        return build([kind]);
      },
      header: () => ({}), heading: () => ({}), undoButton: () => [], leads: () => leads,
    });
    return [JSON.stringify(sheets.sales()), buttons];
  };
  const [all, buttons] = shown(true);
  assert.ok(buttons.includes("hour/10") && all.includes("2345"));
  const [read, none] = shown(false);
  assert.deepEqual(none, []);
  assert.ok(read.includes("10:00") && read.includes("2345"));
});

test("only crew members are offered to report equipment, and all may read what doesn't work", async () => {
  const shown = async (may) => {
    const buttons = [];
    const sheets = open({
      build: (node) => ({ node, append() {} }), say: String, areaName: String, pressed: (act) => act,
      button: (kind, text) => {
        buttons.push(text);
        return {};
      },
      header: () => ({}), heading: () => ({}), show() {}, mayReport: () => may,
      equipment: async () => [[{ id: "1", name: "Oven", area: "", state: "faulty" }], null],
    });
    await sheets.load();
    return [JSON.stringify(sheets.equipment()), buttons];
  };
  const [, buttons] = await shown(true);
  assert.deepEqual(buttons, ["repaired", "reportFault"]);
  const [read, none] = await shown(false);
  assert.deepEqual(none, []);
  assert.ok(read.includes("Oven"));
});

test("what doesn't work is shown as it was last asked for, whichever answer comes first", async () => {
  const answers = [];
  const element = (node) => ({ node, append() {} });
  const sheets = open({
    build: element, say: String, areaName: String, button: () => ({}), pressed: (act) => act,
    header: () => ({}), heading: () => ({}), show() {},
    equipment: () => new Promise((resolve) => { answers.push(resolve); }), mayReport: () => true,
  });
  const shown = () => JSON.stringify(sheets.equipment());
  const piece = (name) => ({ id: name, name, area: "", state: "faulty" });
  const loads = [sheets.load(), sheets.load()];
  // The second was asked after the oven had been repaired.
  answers[1]([[piece("Dishwasher")], null]);
  await loads[1];
  answers[0]([[piece("Dishwasher"), piece("Oven")], null]);
  await loads[0];
  assert.ok(shown().includes("Dishwasher"));
  assert.ok(!shown().includes("Oven"));
  // One that comes before the answer to a later question is better than none.
  const more = [sheets.load(), sheets.load()];
  answers[2]([[piece("Mixer")], null]);
  await more[0];
  assert.ok(shown().includes("Mixer"));
  answers[3]([null, "no contact"]);
  await more[1];
  assert.ok(shown().includes("Mixer") && shown().includes("no contact"));
});
