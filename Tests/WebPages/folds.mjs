// Folds the histories on its standard input, one per line, and writes the result of each: the other
// half of Tests/ShiftLogTests/PageFoldTests.swift.
import { createInterface } from "node:readline";
import { Shift, Zone } from "../../Services/web-service/Web/fold.js";

const task = (shift, position) => {
  const { listed, state, shown, standing, marks, notes, isInReview } = shift.result(position);
  return { key: listed.key, state, shown, standing, marks, notes, isInReview };
};

function view({ shift: begun, settings, lists, operations, times }) {
  const shift = new Shift(begun, settings, lists);
  for (const operation of operations) shift.apply(operation);
  const zone = new Zone(begun.timeZone);
  return {
    head: shift.head, ended: shift.shift.ended, appendix: shift.appendix.map(({ id }) => id),
    contradictions: shift.contradictions,
    openContradictions: shift.openContradictions.length, devices: Object.fromEntries(shift.devices),
    progress: shift.progress(), byList: lists.map(({ id }) => shift.progress(id)),
    tasks: shift.tasks.map((_, position) => task(shift, position)),
    todos: shift.todos, dueTimes: shift.dueTimes(zone), dueTodos: shift.dueTodos,
    travelPaths: shift.travelPaths,
    figures: Object.fromEntries(shift.figures),
    crew: lists.flatMap(({ id }) => ["", "Cleo"].map((name) => shift.crewMay(id, name))),
    moments: times.map((time) => ({
      time, overdue: shift.overdue(time, zone).map(({ key }) => key),
      travelPathDue: shift.travelPathDue(time), nextTravelPath: shift.nextTravelPath(time),
      slots: shift.slots(time),
    })),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(view(JSON.parse(line))) + "\n");
}
