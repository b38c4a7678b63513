// The get-off alarm: follows a ride by the positions of this device, and rings when it is time. It
// rings by itself at the time that the server named, with or without a network.
import { Alarm } from "./alarm.js";
import { build, clock, fill, leave, request, say } from "./live.js";
import {
  Positions, ServerClock, alarms, forget, makeID, pause, sendPause, storeOf,
} from "./positions.js";

const root = document.getElementById("ride");
const { account } = root.dataset;
const alarm = new Alarm();
const ratingKey = `ride-rating/${account}`;
/** A position with a larger radius, in metres, doesn't count: it can't tell one street from another.
 *  The server gets it all the same, because it alerts the passenger if no other comes. */
const coarsest = 100;
/** How long only such positions may come before the page says so, in milliseconds: a receiver
 *  begins with the place of the network. */
const patience = 10_000;
/** How long a tap on “End the ride” waits for the second one, in milliseconds. */
const sure = 5_000;

const serverClock = new ServerClock();
/** The id of a message, by the server's time: an id with the time of a wrong clock would be
 *  refused. */
const newID = () => makeID(serverClock.now);

/** The version of the privacy policy that is accepted with the next ride; 0 for none. */
let policy = 0;
/** How long before the arrival the person's settings say to get ready, in milliseconds. */
let usualNotice = 180_000;

const store = storeOf(globalThis);
const positions = new Positions(store, account, newID);

/** The server refused, and would refuse again. */
class Refused extends Error {}

/** True if the server has said that the log-in is over. */
let isLoggedOut = false;
/** True while a ride is followed: nothing but its end takes it from the screen. */
let isRiding = false;

async function ask(path, body) {
  const headers = { "Steward-Account": account };
  if (body) headers["Content-Type"] = "application/json";
  const asked = serverClock.steady;
  const answer = await request(path, {
    method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body),
  }).catch(() => null);
  if (!answer) throw new Error(say("noContact"));
  isLoggedOut = answer.status === 401;
  if (isLoggedOut) {
    if (!isRiding) leave(() => location.assign("/login?next=%2Fride"));
    throw new Error(say("logInOver"));
  }
  if (answer.body?.now) serverClock.set(answer.body.now, asked);
  if (answer.ok && answer.body) return answer.body;
  if (answer.body && answer.status < 500) throw new Refused(answer.body.message);
  // What is refused only for now has a reason, too.
  throw new Error(answer.body?.reason ? answer.body.message : say("noContact"));
}

// What is shown

let message = "";
const button = (text, kind, act) => {
  const element = build(["button", { type: "button", class: kind }, text]);
  element.addEventListener("click", act);
  return element;
};
const line = (text, kind = "") => build(["p", kind ? { class: kind } : {}, text]);

/** What begins a new view. It gets the focus, so that a screen reader goes on there. */
const beginning = (tag, text, attributes = {}) =>
  build([tag, { ...attributes, tabindex: "-1" }, text]);

function show(...nodes) {
  const first = message ? [build(["p", { class: "fault", role: "alert" }, message])] : [];
  fill(root, [...first, ...nodes]);
}

function showPrivacy(version, [title, ...paragraphs]) {
  show(
    build(["h2", {}, title]), ...paragraphs.map((text) => line(text)),
    button(say("accept"), "main", () => {
      policy = version;
      showSearch();
    }));
}

const nameOf = (stop) => (stop?.name ?? "") + (stop?.code ? ` (${stop.code})` : "");

/** The lines of a stop and where they go, which may be all that tells it from the one opposite.
 *
 * @param line the line that is ridden; empty for all lines of the stop. */
function factsOf(stop, line = "") {
  const lines = line || (stop?.routes ?? []).slice(0, 6).join(", ");
  const toward = (stop?.headsigns ?? []).slice(0, 2).join(", ");
  return [lines && say("line", { name: lines }), toward && say("toward", { name: toward })];
}

const inWords = (facts) => facts.filter(Boolean).join(" · ");

/** A length in metres, in words. */
function lengthOf(metres) {
  if (metres < 1000) return `${metres}\u00a0m`;
  const form = new Intl.NumberFormat(
    document.documentElement?.lang, { maximumFractionDigits: 1 });
  return `${form.format(metres / 1000)}\u00a0km`;
}

/** Searches for a stop while its name is typed.
 *
 * @param offersOwn true to offer the person's favourites and last destinations before that. */
function search(title, choose, offersOwn = false) {
  const field = build(["input", {
    id: "stop", type: "search", autocomplete: "off", enterkeyhint: "search", "aria-controls": "stops",
  }]);
  const heading = build(["p", { class: "where" }, say("lastStops")]);
  heading.hidden = true;
  const list = build(["ul", { id: "stops", class: "stops", "aria-live": "polite" }]);
  const note = (text) => build(["li", { class: "empty" }, text]);
  /** @param favourites how many of the stops are favourites: the first ones. */
  const item = (stop, index, { stops, favourites = 0 }) => {
    // Timetables of two cities may have stops of the same name.
    const isAmbiguous = stops.some(({ feed }) => feed !== stop.feed);
    const isFavourite = index < favourites;
    const facts = [isFavourite && say("favourite"), ...factsOf(stop), isAmbiguous && stop.feed];
    const it = build(["li", {}, ["button", { type: "button", class: "stop" },
      ["b", {}, nameOf(stop)], ["span", {}, inWords(facts)]]]);
    it.querySelector("button").addEventListener("click", () => choose(stop, isFavourite));
    return it;
  };
  let asked = 0;
  const find = async () => {
    const number = asked += 1;
    const text = (field.value ?? "").trim();
    heading.hidden = true;
    if (text === "" && !offersOwn) return list.replaceChildren();
    try {
      const found = await ask("/ride/stops?" + new URLSearchParams({ text }));
      // Text that was typed since then gets its own answer.
      if (number !== asked) return;
      const { stops = [], more = false, damaged = [] } = found;
      heading.hidden = text !== "" || stops.length === 0;
      list.replaceChildren(...stops.map((stop, index) => item(stop, index, found)));
      if (text !== "" && stops.length === 0) list.append(note(say("noStop")));
      if (more) list.append(note(say("moreStops")));
      if (damaged.length > 0) list.append(note(say("damagedTimetables", { names: damaged.join(", ") })));
    } catch (error) {
      if (number === asked) list.replaceChildren(note(error.message));
    }
  };
  field.addEventListener("input", find);
  if (offersOwn) find();
  return [build(["label", { for: "stop", class: "asked" }, title]), field, heading, list];
}

function showSearch() {
  const choose = (stop, isFavourite) => showStart(stop, favouriteMark(stop, isFavourite));
  show(
    ...search(say("stopSearch"), choose, true),
    build(["a", { class: "button", href: "/ride/favourites" }, say("favourites")]));
  document.getElementById("stop").focus();
}

/** How many minutes before the arrival to get ready: as the settings say, or what was typed. */
function noticeField() {
  const usual = String(Math.round(usualNotice / 60_000));
  const field = build(["input", {
    id: "notice", type: "number", inputmode: "numeric", min: "1", max: "30", required: "", value: usual,
  }]);
  return {
    nodes: [build(["label", { for: "notice" }, say("rideNotice")]), field],
    isValid: () => field.reportValidity?.() !== false,
    /** 0 if it is as the settings say. */
    get milliseconds() { return field.value === usual ? 0 : Number(field.value) * 60_000; },
  };
}

/** A button that makes a stop a favourite, or no longer, and what is said if that fails. */
function favouriteMark(stop, isFavourite) {
  let [isOn, id, isBusy] = [isFavourite, null, false];
  const trouble = build(["p", { class: "where", role: "status" }]);
  const mark = button(say("favourite"), "mark", async () => {
    if (isBusy) return;
    isBusy = true;
    trouble.replaceChildren();
    // The same until the server has answered, so that it is done once.
    id ??= newID();
    try {
      const wish = { id, feed: stop.feed, stopId: stop.id, favourite: !isOn };
      isOn = (await ask("/ride/stops", wish)).favourite === true;
      id = null;
      mark.setAttribute("aria-pressed", String(isOn));
    } catch (error) {
      if (error instanceof Refused) id = null;
      trouble.replaceChildren(document.createTextNode(error.message));
    }
    isBusy = false;
  });
  mark.setAttribute("aria-pressed", String(isOn));
  return [mark, trouble];
}

/** @param mark the button with which the stop is made a favourite.
 *  @param id the ride that starts, which stays the same until the server has answered. */
function showStart(stop, mark, id = newID(), notice = noticeField()) {
  const [title, facts] = [beginning("h2", nameOf(stop)), inWords(factsOf(stop))];
  show(
    title, ...(facts ? [line(facts, "where")] : []), ...mark, ...notice.nodes,
    line(say("keepOpen"), "note"), line(say("tone"), "hint"), build(["div", { class: "hand" }]));
  title.focus();
  const hand = root.querySelector(".hand");
  hand.append(
    button(say("start"), "main big", async () => {
      if (!notice.isValid()) return;
      for (const it of hand.querySelectorAll("button")) it.disabled = true;
      // In response to the tap itself: later the browser would no longer allow it.
      const canRing = alarm.unlock();
      try {
        // A ride may be under way since the page was loaded: begun in another tab, on another device,
        // or by a start whose answer was lost. Two would ring for two stops. What was sent under this
        // id may be that ride, and is only sent again.
        const begun = await ask("/ride/current");
        if (begun.journey && begun.journey.id !== id) {
          message = "";
          new Ride(begun, await canRing, say("alreadyRiding"));
          return;
        }
        const answer = await ask("/ride", {
          id, feed: stop.feed, stopId: stop.id, policy, notice: notice.milliseconds,
        });
        message = "";
        policy = 0;
        new Ride(answer, await canRing);
      } catch (error) {
        message = error.message;
        showStart(stop, mark, error instanceof Refused ? undefined : id, notice);
      }
    }),
    button(say("other"), "quiet", () => {
      message = "";
      showSearch();
    }));
}

/** What a passenger has said of a ride, and the server hasn't confirmed; null if there is none. */
function keptRating() {
  try {
    return JSON.parse(store.getItem(ratingKey));
  } catch {
    return null;
  }
}

/** Sends what a passenger says of a ride. It is kept until there is an answer, so that it isn't lost
 *  if the log-in is over: then the page is left, and sends it when it is next loaded. */
async function sendRating(rating) {
  try {
    store.setItem(ratingKey, JSON.stringify(rating));
  } catch { /* the storage is full: it is kept as long as the page is open */ }
  const { journey, id, useful, comment } = rating;
  try {
    await ask(`/ride/${encodeURIComponent(journey)}/feedback`, { id, useful, comment });
  } catch (error) {
    if (error instanceof Refused) store.removeItem(ratingKey);
    throw error;
  }
  store.removeItem(ratingKey);
}

/** Shows that a ride is over, and asks whether its alerts were useful.
 *
 * @param said what was said before the page was loaded, which is sent again; null for nothing. */
function showOver(journey, said = null) {
  let isShown = true;
  // After the page was loaded again it isn't known whether the person keeps positions.
  const kept = { true: say("positionsKept"), false: say("positionsDeleted") }[journey.kept];
  const arrived = beginning("p", [say("arrived"), kept].filter(Boolean).join(" "), { class: "note" });
  const other = button(say("other"), "main", () => {
    [isShown, message] = [false, ""];
    showSearch();
  });
  const comment = build(["textarea", { id: "comment", maxlength: "500", rows: "2" }]);
  comment.value = said?.comment ?? "";
  const send = async (rating) => {
    for (const it of answers) it.disabled = true;
    try {
      await sendRating(rating);
      message = "";
      if (!isShown) return;
      const thanks = beginning("p", say("thanks"), { role: "status" });
      show(arrived, thanks, other);
      thanks.focus();
    } catch (error) {
      for (const it of answers) it.disabled = false;
      if (!isShown) return;
      message = error.message;
      all();
    }
  };
  const rate = (useful) => send({
    time: Math.round(serverClock.now), journey: journey.id, id: newID(), useful,
    comment: (comment.value ?? "").trim(),
  });
  const answers = [
    button(say("useful"), "", () => rate(true)), button(say("useless"), "", () => rate(false)),
  ];
  const pair = build(["div", { class: "pair" }]);
  pair.append(...answers);
  const all = () => show(
    arrived, build(["h2", {}, say("wasUseful")]),
    build(["label", { for: "comment" }, say("rideComment")]), comment, pair, other);
  all();
  arrived.focus();
  if (said) send(said);
}

// The ride

const rank = { riding: 0, getReady: 1, now: 2, passed: 3, finished: 4 };

class Ride {
  #offset = 0;
  #date = Date.now();
  #steady = performance.now();
  #takenAt = 0;
  #alarms = [];
  #acknowledged = 0;
  #isAlone = false;
  #trouble = "";
  /** Since when all positions have been too coarse, by a clock that nobody sets; null if not. */
  #coarseSince = null;
  #sendAt = 0;
  #isSending = false;
  #watch = null;
  #lock = null;
  #hiddenAt = 0;
  #missed = "";
  #ticks = 0;
  #isDark = false;
  #isOver = false;
  /** True once the person has ended the ride, whether the server knows it or not. */
  #isEnding = false;
  #endID = null;
  /** Until when a second tap ends the ride, by a clock that nobody sets; 0 if there was no first. */
  #sureUntil = 0;
  /** True once the alert to get ready is acknowledged for other channels, too, or that is under way. */
  #isHeard = false;
  #failures = 0;
  /** The number of the part of the ride: it is another one once the ride continues. */
  #part = 1;
  /** The time of the last answer before the stage that the server has reached: the alert of that
   *  stage was raised later. */
  #before = 0;
  #isLearning = false;
  #mustLearn = false;
  /** The open alerts of the ride that this page doesn't raise itself. */
  #notices = [];
  #noticed = new Set();
  /** How the ride is to continue, until the server has answered; null if it isn't. */
  #onward = null;

  /** @param note what the passenger has to know at the beginning; empty for nothing. */
  constructor(answer, canRing, note = "") {
    this.canRing = canRing;
    this.#missed = note;
    isRiding = true;
    positions.begin(answer.journey.id);
    this.#before = answer.journey.started ?? 0;
    // The page was closed before the server learned that the person had ended the ride.
    if (positions.isEnding) this.#leave();
    this.#take(answer);
    // The ride may have ended before its start, whose answer was lost, was sent again.
    if (this.#isOver) return;
    if (this.#isEnding) this.#sendAt = 0;
    this.#follow();
    this.#stayOn();
    this.timer = setInterval(() => this.#tick(), 250);
    addEventListener("online", () => { this.#sendAt = 0; });
    document.addEventListener("live", () => { this.#sendAt = 0; });
    document.addEventListener("visibilitychange", () => this.#shown());
    document.addEventListener("part", () => this.#alertsChanged());
    this.#show();
    root.querySelector("h2").focus();
  }

  get #now() { return Date.now() + this.#offset; }

  #take({ journey, now }) {
    // This answer may come after the answer to the end of the ride.
    if (this.#isOver) return;
    const before = this.journey;
    if (before && (journey.stop?.id !== before.stop?.id || rank[journey.stage] < rank[before.stage])) {
      // It continues to another stop, whoever wanted that.
      this.#part += 1;
      [this.stage, this.#acknowledged, this.#isHeard, this.#before] = ["riding", 0, false, now];
    } else if (before && rank[before.stage] < rank[journey.stage]) {
      this.#before = this.#takenAt;
    }
    this.#offset = serverClock.now - Date.now();
    [this.#date, this.#steady] = [Date.now(), performance.now()];
    this.#takenAt = now;
    const former = this.stage;
    this.journey = journey;
    this.#alarms = alarms(journey, now);
    this.#isAlone = false;
    // The server may not know yet what this device has rung for.
    this.stage = rank[journey.stage] >= rank[former ?? "riding"] ? journey.stage : former;
    this.#sendAt = Date.now() + sendPause(journey);
    if (journey.stage === "finished") return this.#end();
    this.#plan();
    this.#hear();
    if (this.#isRinging) this.#learn();
  }

  /** Acknowledges the alert to get ready once the passenger has heard this page, so that it isn't
   *  repeated by other channels. Whatever goes wrong, it is tried again after the next answer. */
  async #hear() {
    const { id, stage } = this.journey;
    if (this.#isHeard || stage !== "getReady" || this.#acknowledged !== rank.getReady) return;
    this.#isHeard = true;
    try {
      this.#isHeard = (await ask(`/ride/${encodeURIComponent(id)}/acknowledge`, {})).isFound === true;
    } catch {
      this.#isHeard = false;
    }
  }

  /** What has happened to the ride's alerts elsewhere may stop the sound here. */
  #alertsChanged() {
    if (this.#isOver || this.#isEnding) return;
    this.#hideOwn();
    this.#learn();
    // The ride may have ended, or continue without alerts.
    if (this.#isRinging) this.#sendAt = 0;
  }

  /** Asks which alerts of the ride are open, and whether the one that it rings for was acknowledged:
   *  at the command line, on another device, or by another channel. Without an answer it rings on. */
  async #learn() {
    this.#mustLearn = true;
    if (this.#isLearning) return;
    this.#isLearning = true;
    while (this.#mustLearn && !this.#isOver) {
      this.#mustLearn = false;
      const { stage, journey } = this;
      const part = this.#part;
      const before = rank[journey.stage] < rank[stage] ? this.#takenAt : this.#before;
      const path = `/ride/${encodeURIComponent(journey.id)}/alerts?since=${journey.started ?? 0}`;
      try {
        const { acknowledged = {}, notices = [] } = await ask(path);
        if (part !== this.#part) continue;
        if (acknowledged[stage] >= before) {
          this.#acknowledged = Math.max(this.#acknowledged, rank[stage]);
          this.#plan();
        }
        this.#notice(notices);
      } catch { /* it is asked again after the next answer, or when something changes */ }
    }
    this.#isLearning = false;
  }

  #notice(notices) {
    if (this.#isOver) return;
    const isNew = notices.some(({ id }) => !this.#noticed.has(id));
    for (const { id } of notices) this.#noticed.add(id);
    this.#notices = notices;
    if (isNew && !this.#isRinging) {
      alarm.chime(0.5, 2);
      navigator.vibrate?.([200, 100, 200]);
    }
    this.#show();
  }

  /** Acknowledges an alert that is shown. */
  async #acknowledge({ id }) {
    const headers = { "Steward-Account": "" };
    const { status } = await request(
      `/alerts/${encodeURIComponent(id)}/acknowledge`, { method: "POST", redirect: "manual", headers },
    ).catch(() => ({ status: -1 }));
    // As in bell.js: the status of a redirection isn't shown to scripts.
    message = status === 0 ? "" : say("notAcknowledged");
    if (status === 0) this.#notices = this.#notices.filter((it) => it.id !== id);
    this.#show();
  }

  get #isRinging() {
    return !this.journey.silent && rank[this.stage] > this.#acknowledged && rank[this.stage] > 0;
  }

  /** The alarms that are still to come, whether the server answers or not. */
  get #coming() {
    const known = Math.max(rank[this.stage], this.#acknowledged);
    return this.#alarms.filter(({ stage }) => rank[stage] > known);
  }

  /** Plans the sound, so that it comes even if nothing else on this page runs any more. */
  #plan() {
    const list = this.#coming.map(({ stage, at }) => ({ stage, delay: at - this.#now }));
    // The next alarm doesn't wait until somebody has acknowledged this one.
    if (this.#isRinging) list.unshift({ stage: this.stage, delay: 0 });
    alarm.plan(list);
    root.dataset.planned = list.map(({ stage }) => stage).join(" ");
  }

  /** Notices that the clock of this device was set back: otherwise what is due would come too
   *  late. */
  #keepTime() {
    const [date, steady] = [Date.now(), performance.now()];
    const back = (steady - this.#steady) - (date - this.#date);
    [this.#date, this.#steady] = [date, steady];
    if (back < 1000) return;
    this.#offset += back;
    this.#sendAt = 0;
  }

  /** Notices that sound was interrupted, or is back; the clock of sound stood still meanwhile. */
  #keepSound() {
    if ((this.#ticks += 1) % 20 === 0) alarm.wake();
    if (this.canRing === alarm.isReady) return;
    this.canRing = alarm.isReady;
    this.#plan();
    this.#show();
  }

  #tick() {
    if (this.#isOver) return;
    this.#keepTime();
    this.#keepSound();
    const due = this.#coming.find(({ at }) => at <= this.#now);
    if (due) {
      this.stage = due.stage;
      this.#isAlone = true;
      root.dataset.rang = `${due.stage} ${Math.round(this.#now - due.at)}`;
      // A sound that was planned for this moment goes on.
      this.#plan();
      this.#sendAt = 0;
      this.#show();
    }
    if (this.#isRinging) {
      navigator.vibrate?.([600, 200, 600]);
      // The sound is about to end, or its clock stood still when it should have begun.
      if (alarm.lacks(this.stage)) this.#plan();
    }
    if (Date.now() >= this.#sendAt) this.#send();
    if (this.#sureUntil !== 0 && performance.now() >= this.#sureUntil) {
      this.#sureUntil = 0;
      this.#show();
    }
    if (this.#coarseSince !== null && performance.now() - this.#coarseSince >= patience) {
      this.#tell("coarse");
    }
    this.#count();
  }

  async #send() {
    if (this.#isSending || this.#isOver) return;
    this.#isSending = true;
    // Once the person wants to end the ride, send nothing but the end.
    const batch = this.#isEnding ? null : positions.next ?? { id: newID(), positions: [] };
    const path = `/ride/${encodeURIComponent(this.journey.id)}/positions`;
    const part = this.#part;
    try {
      if (!batch) return await this.#sendEnd();
      const answer = await ask(path, batch);
      positions.settle(batch.id);
      message = "";
      this.#failures = 0;
      // The ride may have been continued while the answer was on its way.
      if (part === this.#part) this.#take(answer);
      if (positions.count >= 500) this.#sendAt = 0;
    } catch (error) {
      if (batch && error instanceof Refused) {
        // These positions will never be accepted; the ride may be over.
        positions.settle(batch.id);
        await ask("/ride/current").then((answer) => {
          if (answer.journey?.id !== this.journey.id) return this.#end();
          message = error.message;
          if (part === this.#part) this.#take(answer);
        }, () => {});
      }
      this.#failures += 1;
      this.#sendAt = Math.max(this.#sendAt, Date.now() + Math.min(20_000, 2000 * this.#failures));
    } finally {
      this.#isSending = false;
      this.#show();
    }
  }

  // Where the device is

  #follow() {
    // Whoever has ended the ride is no longer followed, even while the server doesn't know of it.
    if (this.#isEnding) return;
    if (!navigator.geolocation) {
      this.#trouble = "noPosition";
      return;
    }
    // By a clock that nobody sets.
    let [wanted, wasCoarse] = [-Infinity, false];
    this.#watch = navigator.geolocation.watchPosition(({ coords, timestamp }) => {
      const steady = performance.now();
      const isCoarse = coords.accuracy > coarsest;
      this.#coarseSince = isCoarse ? this.#coarseSince ?? steady : null;
      // An earlier message stays until a position counts.
      if (!isCoarse) this.#tell("");
      else if (this.#trouble === "noPosition") this.#tell("coarse");
      // The first one that counts need not wait for its turn after those that don't.
      if (steady < wanted && (isCoarse || !wasCoarse)) return;
      wasCoarse = isCoarse;
      const isFirst = wanted === -Infinity;
      wanted = steady + pause(coords.speed);
      const time = Math.round(Math.min(timestamp, Date.now()) + this.#offset);
      positions.add({
        time, latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy,
        speed: coords.speed ?? undefined,
      });
      if (isFirst || this.journey.remaining === undefined) this.#sendAt = Math.min(this.#sendAt, Date.now() + 1000);
    }, () => {
      this.#coarseSince = null;
      this.#tell("noPosition");
    }, { enableHighAccuracy: true, maximumAge: 2000 });
  }

  #tell(trouble) {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#show();
  }

  /** Asks at which stop the device is now. */
  #askWhere() {
    this.isAsking = true;
    show(...search(say("whereNow"), (stop) => this.#at(stop)), button(say("cancel"), "quiet", () => {
      this.isAsking = false;
      this.#show();
    }));
    document.getElementById("stop").focus();
  }

  /** Someone says where they are: the rest follows from the timetable alone. */
  #at(stop) {
    const { latitudeE7, longitudeE7 } = stop.place;
    positions.add({
      time: Math.round(this.#now), latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7,
      accuracy: 50, speed: 0,
    });
    this.#sendAt = 0;
    this.isAsking = false;
    [this.#trouble, this.#coarseSince] = ["", null];
    this.#show();
  }

  // The screen and the page

  async #stayOn() {
    if (document.hidden || this.#isOver || !navigator.wakeLock) return;
    try {
      this.#lock = await navigator.wakeLock.request("screen");
      if (this.#isOver) this.#lock.release();
    } catch { /* refused, for example because the battery is low: asked again when next shown */ }
  }

  #shown() {
    if (this.#isOver) return;
    if (document.hidden) {
      this.#hiddenAt = Date.now();
      return;
    }
    if (this.#hiddenAt > 0 && Date.now() - this.#hiddenAt > 10_000) {
      this.#missed = say("missed", { clock: clock(this.#hiddenAt) });
    }
    this.#stayOn();
    // The clock of its sound may have stood still without a word.
    alarm.wake();
    this.#plan();
    // Some browsers don't continue by themselves.
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#follow();
    this.#sendAt = 0;
    this.#show();
  }

  /** Stops ringing for the ride, and asking where the device is. */
  #leave() {
    alarm.stop();
    this.#acknowledged = rank.finished;
    this.#isEnding = true;
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    [this.#watch, this.#trouble, this.#coarseSince] = [null, "", null];
  }

  /** Continues the ride to another stop, or without further alerts. Sent again, it is done once.
   *
   * @param stop the stop; null for no further alerts. */
  async #goOn(stop) {
    for (const it of root.querySelectorAll("button")) it.disabled = true;
    // Whoever taps has heard it.
    this.#acknowledged = Math.max(this.#acknowledged, rank[this.stage]);
    this.#plan();
    const stopId = stop?.id ?? "";
    if (this.#onward?.stopId !== stopId) this.#onward = { id: newID(), stopId, withoutAlerts: !stop };
    const part = this.#part;
    try {
      const answer = await ask(`/ride/${encodeURIComponent(this.journey.id)}/continue`, this.#onward);
      [this.#onward, message] = [null, ""];
      // What was learned meanwhile is newer: this answer may be from before an alert.
      if (part !== this.#part) this.#sendAt = 0;
      else {
        this.#part += 1;
        this.#take(answer);
      }
    } catch (error) {
      if (error instanceof Refused) this.#onward = null;
      message = error.message;
      this.#sendAt = 0;
    }
    this.#show();
  }

  /** Ends the ride at a second tap: a pocket may tap once. */
  #askWhetherOver() {
    if (this.#isEnding || performance.now() < this.#sureUntil) return this.#finish();
    this.#sureUntil = performance.now() + sure;
    this.#show();
  }

  /** Ends the ride. Without an answer, the end is sent again until there is one. */
  async #finish() {
    for (const it of root.querySelectorAll("button")) it.disabled = true;
    this.#leave();
    this.#sureUntil = 0;
    positions.end(Math.round(serverClock.now));
    try {
      await this.#sendEnd();
    } catch (error) {
      // Below it says that the log-in is over, with a link.
      message = isLoggedOut ? "" : error instanceof Refused ? error.message : say("noService");
      this.#sendAt = Math.min(this.#sendAt, Date.now() + 2000);
      this.#show();
    }
  }

  async #sendEnd() {
    this.#endID ??= newID();
    try {
      await ask(`/ride/${encodeURIComponent(this.journey.id)}/finish`, { id: this.#endID });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Under the same id it would be refused again, whatever has changed since.
      this.#endID = null;
      // The ride may already be over.
      const { journey } = await ask("/ride/current");
      if (journey?.id === this.journey.id) throw error;
    }
    this.#end();
  }

  #end() {
    if (this.#isOver) return;
    this.#isOver = true;
    isRiding = false;
    clearInterval(this.timer);
    alarm.stop();
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#lock?.release();
    positions.clear();
    message = "";
    delete root.dataset.stage;
    root.classList.remove("ringing");
    document.body.classList.remove("unlit");
    showOver(this.journey);
  }

  /** The time that is left, in words; empty if it isn't known. */
  get #rest() {
    const { remaining } = this.journey;
    if (remaining === undefined || remaining === null) return "";
    const left = Math.max(0, Math.round((remaining - (this.#now - this.#takenAt)) / 60_000));
    return say("minutes", { count: left });
  }

  #count() {
    const [element, text] = [document.getElementById("rest"), this.#rest];
    if (element && text && element.textContent !== text) element.textContent = text;
  }

  #show() {
    if (this.#isOver) return;
    root.dataset.stage = this.stage;
    // A ringing page must show the button that stops it.
    if (this.#isRinging) this.isAsking = false;
    if (this.isAsking) return;
    const { journey } = this;
    const words = journey.silent ? say("silent")
      : { getReady: say("getReady"), now: say("getOff"), passed: say("passed") }[this.stage];
    const nodes = [beginning("h2", nameOf(journey.stop))];
    if (words) nodes.push(build(["p", { class: "stage", role: "alert" }, words]));
    if (this.stage === "riding" || this.stage === "getReady") {
      nodes.push(build(["p", { class: "rest", id: "rest" }, this.#rest || say("looking")]));
    }
    const facts = inWords([
      ...factsOf(journey.stop, journey.route),
      (this.#isAlone || journey.estimated) && say("estimated"),
    ]);
    if (facts) nodes.push(line(facts, "where"));
    if (journey.next) {
      const [name, distance] = [nameOf(journey.next), lengthOf(journey.back ?? 0)];
      nodes.push(line(say("wayBack", { name, distance }), "where"));
    }
    if (this.stage === "riding" && journey.stop?.trips === 0) nodes.push(line(say("byDistance"), "note"));
    else if (this.stage === "riding" && journey.typical) nodes.push(line(say("typical"), "note"));
    if (!this.#isRinging) nodes.push(...this.#noticeList);
    if (this.#missed) nodes.push(line(this.#missed, "note"));
    if (isLoggedOut) {
      nodes.push(build(["p", { class: "state", role: "status" },
        ["span", {}, this.canRing && this.#coming.length > 0 ? say("rideLoggedOut") : say("logInOver")],
        ["a", { href: "/login?next=%2Fride" }, say("logIn")]]));
    } else if (this.#failures > 1) {
      nodes.push(build(["p", { class: "state", role: "status" }, say("offline", { count: positions.count })]));
    }
    if (!this.canRing) nodes.push(line(say("cannotRing"), "fault"));
    if (this.#trouble) {
      nodes.push(build(["p", { class: "state", role: "status" }, this.#trouble === "coarse" ? say("coarse") : say("noPosition")]));
      if (!this.#isRinging) nodes.push(button(say("whereNow"), "", () => this.#askWhere()));
    }
    const hand = build(["div", { class: "hand" }]);
    if (this.#isRinging && this.stage === "getReady") {
      hand.append(button(say("ok"), "main big", () => {
        this.#acknowledged = rank.getReady;
        // The next alarm shall be heard.
        if (!this.canRing) alarm.unlock(false);
        this.#plan();
        this.#show();
        this.#hear();
      }));
    } else if (rank[this.stage] >= rank.now && !journey.silent) {
      hand.append(button(say("gettingOff"), "main big", () => this.#finish()));
    } else {
      hand.append(button(say("dark"), "quiet", () => {
        this.#isDark = !this.#isDark;
        this.#show();
      }));
      const isAsked = performance.now() < this.#sureUntil;
      const end = isAsked ? say("endRideSure") : say("endRide");
      hand.append(button(end, "", () => this.#askWhetherOver()));
      // It keeps the focus although its name changes.
      hand.lastChild.setAttribute("data-key", "end");
    }
    if (!this.canRing) {
      hand.append(button(say("soundOn"), "", async () => {
        this.canRing = await alarm.unlock();
        this.#plan();
        this.#show();
      }));
    }
    if (rank[this.stage] >= rank.now && !this.#isEnding) {
      const { next, silent } = journey;
      if (next) hand.append(button(say("onward", { name: nameOf(next) }), "", () => this.#goOn(next)));
      if (!silent) hand.append(button(say("onwardSilent"), "quiet", () => this.#goOn(null)));
    }
    root.classList.toggle("ringing", this.#isRinging);
    document.body.classList.toggle("unlit", this.#isDark && !this.#isRinging);
    show(...nodes, hand);
    this.#hideOwn();
  }

  /** The list of the alerts that this page doesn't raise itself; nothing if there are none. */
  get #noticeList() {
    // Urgent ones are above the page already.
    const above = new Set([...document.querySelectorAll("#urgent .alert")].map((it) => it.dataset.key));
    const items = this.#notices.filter(({ id }) => !above.has(id)).map((notice) => {
      const { title, body, link, linkTitle, needsAcknowledgement } = notice;
      const item = build(["li", { "data-key": notice.id }, ["b", {}, title], ["span", {}, body]]);
      if (/^https?:/.test(link)) {
        // This page stays open: it follows the ride.
        item.append(build(["a", { href: link, target: "_blank", rel: "noopener" }, linkTitle]));
      }
      if (needsAcknowledgement) item.append(button(say("ok"), "", () => this.#acknowledge(notice)));
      return item;
    });
    if (items.length === 0) return [];
    const list = build(["ul", { class: "notices", "aria-live": "polite" }]);
    list.append(...items);
    return [list];
  }

  /** Marks the urgent alerts about this ride, which are hidden while it rings. */
  #hideOwn() {
    if (this.#isOver) return;
    for (const it of document.querySelectorAll("#urgent .alert")) {
      it.classList.toggle("own", it.dataset.ride === this.journey.id);
    }
  }
}

// A ride that was under way when the page was loaded goes on; sound needs a tap again.
try {
  const answer = await ask("/ride/current");
  // The clock of this device may be wrong, and positions have the time of the server.
  if (answer.now) forget(store, serverClock.now);
  usualNotice = answer.notice ?? usualNotice;
  if (!answer.journey) positions.clear();
  const said = keptRating();
  if (said && (answer.journey || answer.privacy)) sendRating(said).catch(() => { /* next time */ });
  if (answer.journey) new Ride(answer, false);
  else if (answer.privacy) showPrivacy(answer.policy, answer.privacy);
  else if (said) showOver({ id: said.journey }, said);
  else showSearch();
} catch (error) {
  message = error.message;
  show(button(say("reload"), "main", () => location.reload()));
}
