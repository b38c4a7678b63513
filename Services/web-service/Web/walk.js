// The walk through the open shift on this device: what is ticked is kept here before it is shown as
// kept, the courier sends it when it can, and what was done on the page can be undone.
import { Album } from "./album.js";
import { BrowserJournal, BrowserPhotos, WorkingCopy } from "./copy.js";
import { Courier, Refused, Unreachable } from "./courier.js";
import { Shift } from "./fold.js";
import { say } from "./live.js";
import { Undoing } from "./undoing.js";

const { site, account } = document.getElementById("shift").dataset;

/** Asks the server; throws what the courier understands. */
async function ask(path, body) {
  let response;
  try {
    const headers = { "Steward-Account": account };
    const isFile = body instanceof Uint8Array;
    if (body) headers["Content-Type"] = isFile ? "image/jpeg" : "application/json";
    response = await fetch(path, {
      method: body ? "POST" : "GET", headers, body: body && !isFile ? JSON.stringify(body) : body,
    });
  } catch {
    throw new Unreachable(say("noService"));
  }
  if (response.status === 401) throw new Unreachable(say("loggedOut"));
  if (response.ok) return response.json();
  const isJSON = response.headers.get("Content-Type")?.startsWith("application/json");
  const fault = isJSON ? await response.json() : null;
  if (!fault || response.status >= 500) throw new Unreachable(say("noService"));
  throw new Refused(fault.code, fault.message, fault.reason);
}

/** Has the service do something with the shift itself, which needs the network; says why not. */
export async function order(path, body) {
  try {
    await ask(`/shift/${encodeURIComponent(site)}/${path}`, body);
    return null;
  } catch (error) {
    if (!isDown(error) && !(error instanceof Refused)) throw error;
    return error;
  }
}

const askCourier = (shift) => (kind, body) =>
  kind === "record" ? ask("/operations", body)
    : kind === "photo" ? ask(`/photos/${encodeURIComponent(shift)}`, body.file)
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

export const isDown = (error) => error instanceof Unreachable;

/** Where a person is in the open shift, and what they do there. */
export class Walk {
  #ordered;
  #rewindings;
  list = null;
  position = null;
  message = "";
  isSending = false;
  undoing = new Undoing();

  /**
   * @param copy the working copy.
   * @param photos the photos of this device.
   * @param show shows the walk anew.
   */
  constructor({ copy, photos }, show) {
    this.copy = copy;
    this.photos = photos;
    this.show = show;
    this.album = new Album(copy.shift.id, photos);
    this.courier = new Courier(copy, askCourier(copy.shift.id), undefined, photos);
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

  /**
   * Keeps a change, and only then shows it.
   *
   * @param undo returns what undoes it, by the id of its operation; absent where nothing does.
   * @param photos those that the change names and this device took, with their files.
   * @returns the id of the operation; null when it could not be kept.
   */
  async keep(change, undo = null, photos = []) {
    const id = newID();
    try {
      for (const photo of photos) await this.photos.keep(photo);
      await this.copy.append(change, { id, deviceTime: Date.now() });
      this.message = "";
    } catch {
      this.message = say("notKept");
      return null;
    }
    const place = { list: this.list, position: this.position };
    if (undo) this.undoing.add({ id, place, ...undo(id) });
    this.send();
    return id;
  }

  /** Undoes the last change of this page, and shows where it was made. */
  async undo() {
    const last = this.undoing.take(this.copy.everything);
    ({ list: this.list, position: this.position } = last.place);
    this.isFinished = false;
    if (!last.stands) {
      this.message = say("changedSince", { title: last.title });
      return;
    }
    const id = await this.keep(last.change);
    if (id) this.undoing.settle(last.id, id);
    // What could not be kept is undone later.
    else this.undoing.add(last);
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
      this.show();
    }
  }
}

/** The copy of the open shift and its photos: from the service if it can be reached, else what is kept here. */
export async function open() {
  const base = await BrowserJournal.open();
  const known = new BrowserJournal(base, `open/${account}/${site}`);
  const before = await known.read(0);
  const former = [...new Set(before.map((record) => record.shift))];
  let snapshot = null;
  try {
    snapshot = await ask(`/shift/${encodeURIComponent(site)}/snapshot`);
  } catch (error) {
    // None is open.
    if (error instanceof Refused) finish(base, former);
    if (!isDown(error)) throw error;
    const last = before.at(-1);
    if (!last) throw error;
    return keptAs(base, last.shift, () => { throw error; });
  }
  const shift = snapshot.shift.id;
  if (before.at(-1)?.shift !== shift) await known.append(before.length, [{ shift }]);
  finish(base, former.filter((it) => it !== shift));
  return keptAs(base, shift, async () => ({ device: `web-${newID().slice(-12)}`, snapshot }));
}

/** The copy of a shift, and this device's photos of it. */
async function keptAs(base, shift, begin) {
  const name = `${account}/${shift}`;
  const copy = await WorkingCopy.open(new BrowserJournal(base, name), begin);
  return { copy, photos: new BrowserPhotos(base, `${name}/photos`) };
}

/** The most former shifts that are looked at when a page is opened. */
const mostFormer = 5;
let hasFinished = false;

/** Sends what waits here for shifts that have ended meanwhile, and deletes this device's photos of
 *  those for which nothing waits. */
async function finish(base, shifts) {
  if (hasFinished) return;
  hasFinished = true;
  for (const shift of shifts.slice(-mostFormer)) {
    await navigator.locks.request(`courier/${shift}`, async () => {
      const { copy, photos } = await keptAs(base, shift, () => { throw new Unreachable(""); });
      const courier = new Courier(copy, askCourier(shift), undefined, photos);
      if (copy.waiting.length > 0) await courier.run();
      await photos.remove();
    }).catch((error) => {
      // What can't be sent waits for the next time.
      if (isDown(error)) hasFinished = false;
      else if (!(error instanceof Refused)) throw error;
    });
  }
}
