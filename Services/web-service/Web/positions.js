// The positions of a ride that the server doesn't have yet. They are kept on the device, even if the
// page is loaded again, sent oldest first, and deleted when the ride ends, or when the page learns
// that it has.

/** The most positions in one message. */
const most = 500;
/** The most that wait, enough for hours without a network. Beyond that the oldest are deleted. */
const mostKept = 2000;
/** How far times may go back without a reason, in milliseconds: beyond that a clock was set
 *  back. */
const mostBack = 60_000;

/** A UUIDv7 of a time in milliseconds since 1970. */
export function makeID(time) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 0; index < 6; index += 1) bytes[index] = (time / 2 ** (40 - 8 * index)) & 255;
  bytes[6] = 0x70 | (bytes[6] & 15);
  bytes[8] = 0x80 | (bytes[8] & 63);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The time of day at the server, as it last said, whatever the clock of this device shows. It
 *  isn't known how long the answer was on its way, so this time is never behind the server's, and
 *  ahead of it by at most the time that the request took. */
export class ServerClock {
  #date;
  #steady;
  #told = null;

  /** @param steady the milliseconds since some moment, which nobody can set. */
  constructor(date = () => Date.now(), steady = () => performance.now()) {
    [this.#date, this.#steady] = [date, steady];
  }

  /** A moment for `set`. */
  get steady() { return this.#steady(); }

  /** @param asked when the server was asked for its time, by `steady`. */
  set(now, asked) {
    this.#told = { now, at: asked };
  }

  /** The time of this device until the server has said its own. */
  get now() {
    return this.#told ? this.#told.now + this.#steady() - this.#told.at : this.#date();
  }
}

/** Where a browser keeps texts by key; if it keeps none for the page, a store that lasts as long as
 *  the page. */
export function storeOf(browser) {
  try {
    // Some browsers throw instead.
    if (browser.localStorage) return browser.localStorage;
  } catch { /* this one does */ }
  const texts = new Map();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => { texts.set(key, text); },
    removeItem: (key) => { texts.delete(key); },
  };
}

export class Positions {
  #store;
  #key;
  #newID;
  #kept = { positions: [], batch: null };

  /**
   * @param store keeps texts by key, as `localStorage` does.
   * @param account whose positions they are: another person of this device neither sees nor sends
   *   them.
   * @param newID makes the id of a message.
   */
  constructor(store, account, newID) {
    this.#store = store;
    this.#key = `ride/${account}`;
    this.#newID = newID;
    try {
      const kept = JSON.parse(store.getItem(this.#key));
      if (Array.isArray(kept?.positions)) this.#kept = kept;
    } catch { /* nothing that can be read was kept */ }
  }

  /** Follows the ride with an id. Positions of another are deleted: they would count as its own. */
  begin(journey) {
    if (this.#kept.journey === journey) return;
    this.clear();
    this.#kept.journey = journey;
  }

  get count() {
    return this.#kept.positions.length;
  }

  /** True once the person has ended the ride, even if the server doesn't know it yet. */
  get isEnding() {
    return this.#kept.isEnding === true;
  }

  /** Records that the person has ended the ride, so that it stays ended when the page is loaded
   *  again. Positions that wait are deleted, because only the end is sent now. */
  end(time) {
    const { journey } = this.#kept;
    // Even in a full storage there is room for the end where the positions were.
    this.clear();
    Object.assign(this.#kept, { journey, isEnding: true, time });
    this.#save();
  }

  #save() {
    try {
      this.#store.setItem(this.#key, JSON.stringify(this.#kept));
    } catch { /* the storage is full: they are kept as long as the page is open */ }
  }

  /**
   * Adds a position. Times only go forward, whatever the receiver says, unless the clock was set
   * back: then those that are later than now are dropped.
   */
  add(position) {
    const { positions } = this.#kept;
    // Those under way stay, because their answer may have been lost.
    const first = this.#kept.batch?.count ?? 0;
    const last = positions.at(-1)?.time ?? -Infinity;
    if (position.time <= last) {
      if (last - position.time <= mostBack) return false;
      const later = positions.findIndex(({ time }, index) => index >= first && time >= position.time);
      if (later >= 0) positions.splice(later);
    }
    positions.push(position);
    if (positions.length > mostKept) positions.splice(first, positions.length - mostKept);
    this.#save();
    return true;
  }

  /**
   * What is to be sent next: the oldest, under an id. It stays the same until it is settled, so that
   * it is recorded once even if an answer is lost.
   */
  get next() {
    if (this.count === 0) return null;
    this.#kept.batch ??= { id: this.#newID(), count: Math.min(most, this.count) };
    this.#save();
    const { id, count } = this.#kept.batch;
    return { id, positions: this.#kept.positions.slice(0, count) };
  }

  /** The server has what was sent under an id, or will never accept it. */
  settle(id) {
    if (this.#kept.batch?.id !== id) return;
    this.#kept.positions.splice(0, this.#kept.batch.count);
    this.#kept.batch = null;
    this.#save();
  }

  /** Deletes all of them. */
  clear() {
    this.#kept = { positions: [], batch: null };
    this.#store.removeItem(this.#key);
  }
}

const day = 86_400_000;
/** How long what rides have left here is kept for whoever doesn't log out, in milliseconds, by the
 *  beginning of its key. An earlier version kept the last destinations, which the server knows. */
const ages = new Map([["ride", day], ["ride-rating", day], ["ride-stops", 0]]);

/**
 * Deletes what rides have left in this browser, whoever rode.
 *
 * @param store keeps texts by key, as `localStorage` does.
 * @param time only what is too old at this time of the server; infinite for all of it, after a log-out.
 */
export function forget(store, time) {
  for (const key of Object.keys(store)) {
    const age = ages.get(key.split("/")[0]);
    if (age === undefined) continue;
    let last = 0;
    try {
      const kept = JSON.parse(store.getItem(key));
      last = kept.time ?? kept.positions.at(-1).time;
    } catch { /* nothing that can be read was kept */ }
    if (time - last > age) store.removeItem(key);
  }
}

/** How long after a position the next one is wanted, in milliseconds: the faster, the sooner. Whoever
 *  doesn't know the speed may be riding. */
export function pause(speed) {
  if (typeof speed === "number" && speed >= 0 && speed < 3) return 30_000;
  return speed >= 10 ? 5_000 : 10_000;
}

/**
 * How long after an answer to send again, in milliseconds. Far from the stop there is no hurry; each
 * message costs the phone its radio.
 *
 * @param journey what the server knows of the ride.
 */
export function sendPause(journey) {
  if (journey.stage === "getReady" || journey.stage === "now") return 15_000;
  if (journey.remaining === undefined || journey.remaining === null) return 20_000;
  const rest = Math.max(0, journey.remaining - journey.notice);
  return Math.min(240_000, Math.max(20_000, rest / 2));
}

/**
 * When this device rings by itself if no answer comes, by the server's clock.
 *
 * @returns a list of `{ stage, at }`, soonest first.
 */
export function alarms(journey, now) {
  const list = [];
  if (!journey || !journey.due) return list;
  if (journey.stage === "riding") {
    list.push({ stage: "getReady", at: journey.due });
    if (journey.remaining !== undefined && journey.remaining !== null) {
      // Half a minute before the vehicle stops, and never together with the first.
      list.push({ stage: "now", at: Math.max(journey.due + 30_000, now + journey.remaining - 30_000) });
    }
  } else if (journey.stage === "getReady") {
    list.push({ stage: "now", at: journey.due });
  }
  return list;
}
