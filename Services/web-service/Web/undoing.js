// What was changed on a page and can be undone, for as long as the page is open.
import { idText } from "./fold.js";

/** The task, the to-do or the figure that an operation is about; null for none of them. */
function subject({ id, change }) {
  const [kind, value] = Object.entries(change ?? {})[0] ?? [];
  if (kind === "mark" || kind === "review") return `${value.list}/${value.task}`;
  if (kind === "addTodo") return idText(id);
  if (kind === "figure") return `${value.hour}/${value.kind}/${value.name}`;
  return value?.todo ?? null;
}

/** The change that gives a task the mark that it had. */
export function unmark(list, task, before) {
  const isFound = before?.state === "ok" || before?.state === "notOk";
  return { mark: {
    list, task, finding: isFound ? before.state : "unspecified",
    notApplicable: before?.state === "notApplicable" ? before.reason : "",
    ...(isFound && before.answer ? { answer: before.answer } : {}),
  } };
}

export class Undoing {
  #made = [];
  /** The ids of what was undone, and of what undid it: together they changed nothing. */
  #settled = new Set();

  /**
   * Adds a change.
   *
   * @param id the id of its operation.
   * @param title what was changed, in words.
   * @param change what undoes it.
   * @param place where on the page it was made.
   */
  add({ id, title, change, place }) {
    this.#made.push({ id, title, change, place });
  }

  /** The last change; null when there is nothing to undo. */
  get last() {
    return this.#made.at(-1) ?? null;
  }

  /**
   * Removes the last change.
   *
   * @param operations those of the shift, in their order of effect.
   * @returns the change, with `stands` false when it was refused or the same thing was changed since:
   *   undoing it would undo what somebody else did.
   */
  take(operations) {
    const last = this.#made.pop();
    const at = operations.findIndex(({ id }) => id === last.id);
    const stands = at >= 0 && operations.slice(at + 1).every((it) =>
      this.#settled.has(it.id) || subject(it) !== subject(operations[at]));
    return { ...last, stands };
  }

  /** Records that an operation has undone another. */
  settle(undone, by) {
    this.#settled.add(undone).add(by);
  }
}
