// The walk through the open shift on this device: what is ticked is kept here before it is shown as
// kept, the courier sends it when it can, and what was done on the page can be undone.
import { Album } from "./album.js";
import {
  BrowserJournal, BrowserPhotos, KeepsNothing, NewerVersion, Refused, Unreachable, WorkingCopy,
  isNeeded, shiftOf,
} from "./copy.js";
import { Courier } from "./courier.js";
import { Shift, idText } from "./fold.js";
import { now, say } from "./live.js";
import { account, ask, base, keptAs, newID, opened, readShift, site } from "./opening.js";
import { Undoing } from "./undoing.js";

/** For how long an order that got no answer is sent again under its id, in milliseconds. */
const sameOrder = 60_000;
/** The last order that got no answer: what it says, its id, and when it was first given. */
let unanswered = null;

/** Has the service do something that isn't an operation, which needs the network; returns the error,
 *  or null. What is ordered again because there was no answer is done once. */
export async function order(path, body) {
  const said = `${path} ${JSON.stringify(body)}`;
  if (unanswered?.said !== said || Math.abs(Date.now() - unanswered.given) > sameOrder) {
    unanswered = { said, id: idText(newID(now())), given: Date.now() };
  }
  const error = await send(path, { id: unanswered.id, ...body });
  if (!isDown(error)) unanswered = null;
  // An id says when it was made. If the clock of this device is wrong, the service makes one.
  return ["id.ahead", "id.old"].includes(error?.reason) ? send(path, body) : error;
}

async function send(path, body) {
  try {
    await ask(`/shift/${encodeURIComponent(site)}/${path}`, body, { silence: say("noContact") });
    return null;
  } catch (error) {
    if (!isDown(error) && !(error instanceof Refused)) throw error;
    return error;
  }
}

/** The equipment that doesn't work at the site, and why that isn't known: one of them is null. It
 *  needs the network. */
export async function equipment() {
  const path = `/shift/${encodeURIComponent(site)}/equipment`;
  try {
    return [(await ask(path, null, { silence: say("noContact") })).equipment ?? [], null];
  } catch (error) {
    if (!isDown(error) && !(error instanceof Refused)) throw error;
    return [null, error.message];
  }
}

const askCourier = (shift) => (kind, body) =>
  kind === "record" ? ask("/operations", body)
    : kind === "photo" ? ask(`/photos/${encodeURIComponent(shift)}`, body.file)
      : ask(`/operations/${encodeURIComponent(shift)}?${new URLSearchParams(body)}`);

export const isDown = (error) => error instanceof Unreachable;

/** True if what is kept here is of a newer version. */
export const isNewer = (error) => error instanceof NewerVersion;

/** True for what is thrown when this page can't keep something here, or read what is kept. */
export const isLack = (error) => (
  error instanceof DOMException || error instanceof KeepsNothing || isNewer(error));

/** The message about such an error. */
export const lackOf = (error) => (isNewer(error) ? say("newerKept")
  : error instanceof KeepsNothing ? say("keepsNothing") : say("noRoom"));

const copyOf = (shift) => `copy/${account}/${shift}`;

/** Does something when the page has nothing else to do. */
const later = (act) =>
  (globalThis.requestIdleCallback ? requestIdleCallback(act, { timeout: 1000 }) : setTimeout(act, 200));

/** Where a person is in the open shift, and what they do there. */
export class Walk {
  #ordered;
  #rewindings;
  /** The last state that includes operations that wait here, and their ids. */
  #top = null;
  /** A second state without them, onto which the next ones are folded; null until there is one. */
  #spare = null;
  /** The exchange with the service; null while there is none. */
  #sending = null;
  #mustSend = false;
  #end;
  list = null;
  position = null;
  message = "";
  /** When an exchange with the service last succeeded, in milliseconds since 1970; 0 for never. */
  reached = 0;
  /** Why this device can't keep what others do; empty if it can. */
  lack = "";
  undoing = new Undoing();

  /**
   * @param copy the working copy.
   * @param photos the photos of this device.
   * @param show shows the walk again.
   */
  constructor({ copy, photos }, show) {
    this.copy = copy;
    this.photos = photos;
    this.show = show;
    this.album = new Album(copy.shift.id, photos);
    // While the copy is shown, no other page deletes it.
    const isOver = new Promise((resolve) => { this.#end = resolve; });
    navigator.locks?.request(
      copyOf(copy.shift.id), { mode: "shared" }, () => isOver).catch(() => {});
    this.courier = new Courier(copy, askCourier(copy.shift.id), undefined, photos);
    this.#begin();
  }

  /** Stops showing the walk. What waits in it or was refused is still shown. */
  close() {
    this.#end();
    this.album.close();
    const { shift, waiting } = this.copy;
    if (isNeeded(this.copy)) former.set(shift.id, this.copy);
    else former.delete(shift.id);
    if (waiting.length > 0) hasFinished = false;
  }

  #begin() {
    this.#ordered = this.#begun();
    this.#spare = null;
    this.#rewindings = this.copy.rewindings;
  }

  /** Applies to a state the ordered operations that it lacks. */
  #advanced(state) {
    for (const operation of this.copy.operations.slice(state.log.length)) state.apply(operation);
    return state;
  }

  #begun() {
    const { shift, settings, lists } = this.copy.snapshot;
    return new Shift(shift, settings, lists);
  }

  /** Prepares the state onto which the next tick is folded, while there is nothing else to do. */
  prepare() {
    if (this.copy.rewindings !== this.#rewindings) return;
    this.#spare = this.#advanced(this.#spare ?? this.#begun());
  }

  /** The operations in the service's order, with those that wait here on top. */
  get state() {
    if (this.copy.rewindings !== this.#rewindings) this.#begin();
    this.#advanced(this.#ordered);
    const { operations, waiting } = this.copy;
    if (waiting.length === 0) return this.#ordered;
    // Later operations are folded onto the last state; operations in between need a new one.
    const goesOn = this.#top?.base === this.#ordered && this.#top.count === operations.length
      && this.#top.ids.every((id, index) => waiting[index]?.id === id);
    if (!goesOn) {
      const state = this.#advanced(this.#spare ?? this.#begun());
      this.#spare = null;
      this.#top = { state, base: this.#ordered, count: operations.length, ids: [] };
    }
    const { state, ids } = this.#top;
    for (const operation of waiting.slice(ids.length)) {
      state.apply(operation);
      ids.push(operation.id);
    }
    return state;
  }

  /**
   * Keeps a change, and only then shows it.
   *
   * @param undo returns what undoes it, by the id of its operation; absent if nothing does.
   * @param photos those that the change names and this device took, with their files.
   * @returns the id of the operation; null when it could not be kept.
   */
  async keep(change, undo = null, photos = []) {
    const id = newID();
    try {
      for (const photo of photos) await this.photos.keep(photo);
      const kept = this.copy.append(change, { id, deviceTime: Date.now() });
      // While it is being kept, it already waits for its turn to be sent.
      this.send(false, kept);
      await kept;
      this.message = "";
      // An earlier exchange may have ended meanwhile, without this operation.
      this.send();
      // Let it leave before the page is drawn again, which would hold it up for some milliseconds.
      await new Promise((resolve) => { setTimeout(resolve); });
    } catch (error) {
      this.message = isNewer(error) ? `${say("notKept")} ${lackOf(error)}` : say("notKept");
      return null;
    }
    const place = { list: this.list, position: this.position };
    if (undo) this.undoing.add({ id, place, ...undo(id) });
    return id;
  }

  /** Undoes the last change of this page, and shows where it was made. */
  async undo() {
    const last = this.undoing.take(this.copy.everything);
    ({ list: this.list, position: this.position } = last.place);
    if (!last.stands) {
      this.message = say("changedSince", { title: last.title });
      return;
    }
    const id = await this.keep(last.change);
    if (id) this.undoing.settle(last.id, id);
    // If that could not be kept, the change can be undone later.
    else this.undoing.add(last);
  }

  /**
   * Sends and fetches; one tab at a time.
   *
   * @param isAnew true to send again after an exchange that is under way, which may fail.
   * @param kept resolves once what is to be sent is kept; absent if that was kept before.
   */
  send(isAnew = false, kept = null) {
    if (this.#sending) this.#mustSend ||= isAnew;
    else this.#sending = this.#exchange(kept);
    return this.#sending;
  }

  async #exchange(kept) {
    let isOlder = kept === null;
    const isKept = kept?.then(() => {
      isOlder = true;
      return true;
    }, () => false);
    let isDone = false;
    try {
      await null;
      this.#mustSend = false;
      await navigator.locks.request(`courier/${this.copy.shift.id}`, async () => {
        // Keeping something brings the copy up to date. Other tabs may have sent since then, unless
        // it was this tab's turn already.
        if (isOlder || !await isKept) await this.copy.catchUp();
        await this.courier.run();
      });
      isDone = true;
      this.reached = Date.now();
      this.lack = "";
    } catch (error) {
      if (isLack(error)) this.lack = lackOf(error);
      else if (!isDown(error) && !(error instanceof Refused)) throw error;
    } finally {
      this.#sending = null;
      this.show();
      later(() => this.prepare());
      // Otherwise operations kept after the courier last looked would have to wait.
      if (this.#mustSend || (isDone && this.courier.isBusy)) this.send();
    }
  }
}

/** The open shift as the service has it.
 *
 * @param coming the answer, if it was asked for before. */
export async function fetchShift(coming = readShift()) {
  try {
    return await coming;
  } catch (error) {
    // None is open.
    if (error instanceof Refused) finish(await opened());
    else if (isDown(error)) recall().catch(() => { hasRecalled = false; });
    throw error;
  }
}

let hasRecalled = false;

async function recall() {
  if (hasRecalled) return;
  hasRecalled = true;
  for (const shift of (await opened()).slice(-1 - mostFormer, -1)) {
    const own = await keptAs(shift).catch(() => null);
    if (own && !former.has(shift)) former.set(shift, own.copy);
  }
  tellFormer();
}

/** Sends and deletes what former shifts have left on this device, once while the page is open. */
export async function tend(open) {
  finish((await opened()).filter((it) => it !== open.id));
  // Not while the page is being drawn for the first time.
  setTimeout(() => tidy(open).catch(() => { hasTidied = false; }), 5000);
}

/** The most former shifts that are looked at when a page is opened. */
const mostFormer = 5;
let hasFinished = false;

/** Sends what waits here for shifts that have ended meanwhile, and deletes this device's photos of
 *  those for which nothing waits. */
async function finish(shifts) {
  if (hasFinished) return;
  hasFinished = true;
  for (const shift of [...new Set(shifts)].slice(-mostFormer)) await sendFormer(shift);
  tellFormer();
}

/** Sends what waits here for a shift that has ended. */
async function sendFormer(shift) {
  await navigator.locks.request(`courier/${shift}`, async () => {
    const own = await keptAs(shift);
    if (!own) return;
    const { copy, photos } = own;
    const courier = new Courier(copy, askCourier(shift), undefined, photos);
    former.set(shift, copy);
    // Even if nothing waits: an older backup may have been restored.
    await courier.run();
    // A page that shows it may keep more.
    await navigator.locks.request(copyOf(shift), { ifAvailable: true }, async (lock) => {
      if (!lock) return;
      await copy.catchUp();
      // A refused operation may be sent again.
      if (!isNeeded(copy)) await photos.remove();
    });
  }).catch((error) => {
    // What can't be sent waits for the next time.
    if (isDown(error)) hasFinished = false;
    else if (isNewer(error)) newer.add(shift);
    else if (!(error instanceof Refused) && !isLack(error)) throw error;
  });
}

/** Has a refused operation sent once more: a newer version of the server may record it.
 *
 * @param walk the walk that is shown. */
export async function resend(copy, id, walk) {
  await copy.resend(id, newID());
  if (walk?.copy === copy) return walk.send(true);
  await sendFormer(copy.shift.id);
  return tellFormer();
}

/** The copies of former shifts in which something waits, or was refused and not dismissed. */
export const former = new Map();

/** The former shifts for which a newer version of the page has kept something. */
export const newer = new Set();

/** Has the page say what is in them. */
function tellFormer() {
  for (const [shift, copy] of former) if (!isNeeded(copy)) former.delete(shift);
  document.dispatchEvent(new CustomEvent("former"));
}

let hasTidied = false;

/** Sends what waits in older copies, and deletes those of shifts that are long over, of every account
 *  of this device. */
async function tidy(open) {
  if (hasTidied) return;
  hasTidied = true;
  const names = await BrowserJournal.names(base);
  // Most devices have no other copy, and don't need to load the script for them.
  if (names.every((name) => [null, open.id].includes(shiftOf(name)))) return;
  const { sweep } = await import("./former.js");
  const photosOf = (name) => new BrowserPhotos(base, `${name}/photos`);
  const shelf = {
    names: async () => names,
    // One that this version can't read stays as it is.
    copy: (name) => WorkingCopy.open(new BrowserJournal(base, name)).catch(() => null),
    async remove(name) {
      await photosOf(name).remove();
      await new BrowserJournal(base, name).remove();
    },
    alone: (name, act) => navigator.locks.request(`copy/${name}`, { ifAvailable: true }, (lock) =>
      lock && navigator.locks.request(`courier/${name.split("/")[1]}`, { ifAvailable: true }, (turn) =>
        turn && act())),
  };
  const endOf = async (shift, after) =>
    (await askCourier(shift)("read", { after, device: "", deviceHead: 0 })).ended;
  const send = async (name, copy) => {
    if (name !== `${account}/${copy.shift.id}`) return;
    former.set(copy.shift.id, copy);
    if (copy.waiting.length === 0) return;
    const courier = new Courier(copy, askCourier(copy.shift.id), undefined, photosOf(name));
    await courier.run().catch((error) => {
      if (!isDown(error) && !(error instanceof Refused) && !isLack(error)) throw error;
    });
  };
  await sweep(shelf, endOf, send, open);
  tellFormer();
}
