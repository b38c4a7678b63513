// What pages that stay up to date have in common: the stream, its watch, and the parts of the page
// that it replaces.

/** The words of this page's language, which a script before this one has put there. */
const { words } = globalThis;

/** A phrase with its arguments. */
export const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

/** The name of an area: that of the lists of a restaurant in the language of the page, else its own. */
export const areaName = (area) => Object.hasOwn(words.areas, area) ? words.areas[area] : area;

const svgNames = new Set(["svg", "path", "g", "rect", "circle", "line", "text"]);

/**
 * Builds what the server describes: a text, or an element with its attributes and children. Texts
 * become text nodes and nothing else, so nothing that a person typed is ever read as HTML.
 */
export function build(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const [name, attributes, ...children] = node;
  const element = svgNames.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.map(build));
  return element;
}

/** The name of a control, as a screen reader says it. */
const nameOf = (it) => it.getAttribute("aria-label") ?? it.textContent;

/** How to find what takes the place of the control that has the focus within an element; null if
 *  none has it. */
function held(element) {
  const focused = document.activeElement;
  if (!focused || focused === element || !element.contains(focused)) return null;
  return {
    key: focused.closest("[data-key]")?.dataset.key, tag: focused.tagName,
    kind: focused.className, name: nameOf(focused),
  };
}

/** Gives the focus to the same control of the same thing; if it belonged to no thing, to the control
 *  of the same name; or else to the beginning, but never to a control of another thing. */
function giveBack(element, { key, tag, kind, name }) {
  const place = key && [...element.querySelectorAll("[data-key]")].find((it) => it.dataset.key === key);
  const controls = place ? [place, ...place.querySelectorAll(tag)].filter((it) =>
    it.matches(tag) && it.closest("[data-key]") === place) : [];
  // Its name may have changed: a button that did something may now undo it.
  const own = controls.find((it) => nameOf(it) === name) ?? controls[0];
  const alike = !key && [...element.querySelectorAll(tag)].find((it) =>
    it.className === kind && nameOf(it) === name && !it.closest("[data-key]"));
  const target = [own, alike].find((it) => it && !it.disabled)
    ?? element.querySelector("h1[tabindex]") ?? document.getElementById("main");
  target?.focus({ preventScroll: true });
}

/** Replaces a part of the page, and keeps the focus where it was. */
function replace({ id, node }) {
  const old = document.getElementById(id);
  if (!old) return;
  const fresh = build(node);
  const focus = held(old);
  old.replaceWith(fresh);
  if (focus) giveBack(fresh, focus);
}

/**
 * Puts other nodes into an element, and keeps the focus where it was. Nodes that are the same stay: a
 * finger or a screen reader may be on them, and nothing has to be drawn or read aloud again.
 */
export function fill(element, nodes) {
  const isSame = nodes.length === element.childNodes.length
    && nodes.every((node, index) => node.isEqualNode(element.childNodes[index]));
  if (isSame) return;
  const focus = held(element);
  element.replaceChildren(...nodes);
  if (focus && !element.contains(document.activeElement)) giveBack(element, focus);
}

/** Does something once the page is drawn as it is now: on a slow phone, drawing comes first. */
export function onceDrawn(act) {
  let isDone = false;
  const once = () => {
    if (!isDone) act();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  // Hidden pages draw nothing.
  setTimeout(once, 1000);
}

/** How far the server's clock is ahead of this device's, in milliseconds. */
let offset = 0;
/** The time by the server's clock, milliseconds since 1970. */
export const now = () => Date.now() + offset;

const pad = (number) => String(number).padStart(2, "0");

/** The formatters of times by zone: each is made once, because that takes longer than anything else
 *  on a page. A device may be carried into another zone, so the key of its own has the differences
 *  from UTC. */
const formats = new Map();
const here = () => [0, 6].map((month) => (
  new Date(new Date().getFullYear(), month).getTimezoneOffset())).join();

/** The zones that this browser knows, by name: an old browser doesn't know new zones. */
const zones = new Map();

/** A zone; undefined, which means that of the device, if this browser doesn't know it. */
export function knownZone(name) {
  if (!zones.has(name)) {
    try {
      new Intl.DateTimeFormat("en-GB", { timeZone: name });
      zones.set(name, name);
    } catch {
      zones.set(name, undefined);
    }
  }
  return zones.get(name);
}

/** The time of day, on this device or in a zone. */
export function clock(time, zone, withSeconds = false) {
  const key = `${zone ?? here()} ${withSeconds}`;
  const known = formats.get(key);
  if (known) return known.format(time);
  const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (zone) form.timeZone = knownZone(zone);
  if (withSeconds) form.second = "2-digit";
  const format = new Intl.DateTimeFormat("en-GB", form);
  formats.set(key, format);
  return format.format(time);
}

/** The time of day, on this device or in a zone, with the date unless that is today's there. */
function dated(time, zone) {
  const key = `date ${zone ?? here()}`;
  if (!formats.has(key)) {
    const form = { dateStyle: "medium", timeZone: zone };
    formats.set(key, new Intl.DateTimeFormat(document.documentElement.lang, form));
  }
  const [date, today] = [time, now()].map((it) => formats.get(key).format(it));
  return date === today ? clock(time, zone) : `${date} ${clock(time, zone)}`;
}

/** The same in the zone with a name, which is added if this device shows another time. */
export function moment(time, name) {
  const zone = name && knownZone(name);
  const text = dated(time, zone);
  return zone && text !== dated(time) ? `${text} ${zone}` : text;
}

/** Writes the times that change by themselves: clocks, and what counts down or up. */
export function tick() {
  const time = now();
  for (const element of document.querySelectorAll("time[data-target]")) {
    const rest = Number(element.dataset.target) - time;
    const seconds = rest > 0 ? Math.ceil(rest / 1000) : Math.floor(-rest / 1000);
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    write(element, (hours ? hours + ":" : "") + pad(minutes) + ":" + pad(seconds % 60));
  }
  for (const element of document.querySelectorAll("time[data-zone]")) {
    write(element, clock(time, element.dataset.zone));
  }
  for (const element of document.querySelectorAll("time[data-time]")) {
    write(element, moment(Number(element.dataset.time), element.dataset.in));
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** How long an answer may take, in milliseconds. */
const longest = 20_000;
/** The requests that are under way, each with the time when it began. */
const pending = new Map();

/**
 * Asks the server; throws when there is no answer. A request that was under way while there was no
 * contact is given up as soon as there is contact again: it may have been lost with the network, and
 * browsers wait for minutes.
 *
 * @param patience how long the answer may take, in milliseconds.
 * @returns the status, and what came as JSON; null for anything else.
 */
export async function request(path, options = {}, patience = longest) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  pending.set(giveUp, Date.now());
  try {
    const response = await fetch(path, { ...options, signal: giveUp.signal });
    const isJSON = response.headers.get("Content-Type")?.startsWith("application/json");
    const body = isJSON ? await response.json() : null;
    return { status: response.status, ok: response.ok, body };
  } finally {
    clearTimeout(timer);
    pending.delete(giveUp);
  }
}
document.addEventListener("live", () => {
  for (const [giveUp, begun] of pending) if (Date.now() - begun > 2000) giveUp.abort();
});

/** The scripts that were loaded, by name, and how many times one could not be. */
const scripts = new Map();
let missed = 0;

/** Loads a script that a page needs only now and then; null if it can't be. Some browsers remember,
 *  while the page is open, that an address had no answer, so each further attempt uses another
 *  address. */
export async function loadScript(name) {
  if (!scripts.has(name)) {
    const script = await import(`./${name}`).catch(() => {
      missed += 1;
      return import(`./${name}?again=${missed}`);
    }).catch(() => null);
    if (!script) return null;
    scripts.set(name, script);
  }
  return scripts.get(name);
}

/** The version of the files of this page, which is in their addresses. */
const version = new URL(import.meta.url).pathname.split("/")[2];
let isOutdated = false;

/** Says that the server has another version, and lets the person choose when to load the page. */
function offerReload() {
  const notice = build(["div", { class: "state version", role: "status" }, ["span", {}, say("newVersion")]]);
  const button = build(["button", { type: "button" }, say("reload")]);
  button.addEventListener("click", () => location.reload());
  notice.append(button);
  document.body.append(notice);
}

/** How old the key of a form may be to be sent as it is, in milliseconds: the server accepts it for 23
 *  hours. */
const oldestKey = 22 * 3_600_000;
/** The forms that were sent, or for which another key was requested. */
const tried = new WeakSet();
/** The forms whose key is on its way. */
const renewing = new WeakSet();

/** The key of the forms of a page, by which each is carried out once; null if it has none. */
const keyOf = (page) => page.querySelector("[name='command']");

/** True for a form that the server would refuse because its page was open for too long. One that was
 *  sent before keeps its key: it may have been carried out. */
function isOld(target) {
  // A key begins with the time at which the page was made.
  const made = parseInt(keyOf(target)?.value.replace("-", "").slice(0, 12), 16);
  return now() - made > oldestKey && !tried.has(target);
}

/** Sends a form with the key of the page as it would be loaded now, so that what is typed stays. */
async function sendAnew(target, submitter) {
  tried.add(target);
  renewing.add(target);
  const key = keyOf(target);
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(longest) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = keyOf(page)?.value ?? "";
    // The account follows the id. What one person typed is never sent in the name of another.
    if (fresh.slice(36) === key.value.slice(36)) key.value = fresh;
  } catch { /* the server says that it was open for too long */ }
  renewing.delete(target);
  form = null;
  target.requestSubmit(submitter);
}

/** When a form whose answer replaces this page was last sent, by `performance.now()`, and which
 *  one. */
let [sent, form] = [-Infinity, null];
/** How long a form isn't sent again, in milliseconds: as long as the server waits for other
 *  services. */
const once = 5000;
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const time = performance.now();
  // Pressing again while the answer is on its way would send the form twice.
  const isTwice = event.target === form && form.method === "post" && time - sent < once;
  if (isTwice || renewing.has(event.target)) {
    event.preventDefault();
    return;
  }
  [sent, form] = [time, event.target];
  if (!isOld(event.target)) {
    tried.add(event.target);
    return;
  }
  event.preventDefault();
  sendAnew(event.target, event.submitter);
});
globalThis.addEventListener?.("pageshow", () => { form = null; });

/** Leaves the page because its log-in is over. Whoever has just logged out gets the answer to that,
 *  which says so: leaving at once would cancel it. */
export function leave(go) {
  setTimeout(go, Math.max(0, sent + 10_000 - performance.now()));
}

/** How long to wait in silence before trying another connection, in milliseconds: there is one beat
 *  a second. */
const silence = 6000;
/** How long after an attempt to connect the next one is made, in milliseconds. */
const attempt = 4000;

/**
 * Follows a stream. The page keeps watch itself, because a browser doesn't notice a connection that
 * is half open, gives up for good when a proxy answers in place of the server, and tries ever more
 * rarely when nothing answers. Here the pauses never grow, so that a page is live again within seconds,
 * whatever had interrupted it. Then it dispatches `live`.
 *
 * Of all pages of this browser that follow the same stream, one has the connection and tells the
 * others what comes: browsers open six connections to a server and no more. A page that is hidden
 * has none.
 *
 * @param path the address of the stream.
 * @param patience how long without a beat until the page says so, in milliseconds.
 * @param changed called with the revision of what the page shows, if the page replaces no parts.
 * @param stale called with the time of the last contact, or null when there is contact again.
 * @param outdated called once when the server has another version than this page.
 * @param over called when the log-in is over; otherwise the page is loaded again, which leads to the
 *   log-in.
 */
export function follow(path, {
  patience, stale, changed, outdated = offerReload,
  over = () => leave(() => location.reload()),
}) {
  const others = new BroadcastChannel(`stream${path}`);
  const known = new Map();
  // A proxy may keep a stream open that this page lost with its network. This id shows the server
  // whose stream it was.
  const page = Math.random().toString(36).slice(2);
  let count = 0;
  // `spare` is the attempt before the last one: on a slow network it may be the one that succeeds.
  let [source, spare, release, waiting] = [null, null, null, null];
  let [heard, begun] = [Date.now(), 0];
  let [isStale, retry] = [false, 0];
  let last = Date.now();
  // Pages don't all connect at the same moment after a server was silent.
  const limit = Math.min(patience, silence) + Math.random() * 500;

  /** The time by the clock of this device. If the clock was set back, earlier times are set back
   *  with it. */
  const look = () => {
    const time = Date.now();
    if (time < last) [heard, begun] = [heard - (last - time), begun - (last - time)];
    last = time;
    return time;
  };
  const hear = () => {
    const time = look();
    const wasSilent = time - heard > limit;
    heard = time;
    if (isStale) stale?.(null);
    isStale = false;
    if (wasSilent) document.dispatchEvent(new CustomEvent("live"));
  };
  const acts = {
    beat(data) { offset = Number(data) - Date.now(); },
    part(data) {
      const part = JSON.parse(data);
      replace(part);
      tick();
      document.dispatchEvent(new CustomEvent("part", { detail: part.id }));
    },
    changed(data) { changed?.(data); },
    version(data) {
      if (data === version || isOutdated) return;
      isOutdated = true;
      outdated();
    },
    over() {
      end();
      over();
    },
  };
  const take = (kind, data) => {
    hear();
    acts[kind]?.(data);
  };
  /** Keeps the messages that a page opened later has to get. */
  const keep = (kind, data) => known.set(kind === "part" ? JSON.parse(data).id : kind, [kind, data]);

  const open = () => {
    clearTimeout(retry);
    [retry, begun] = [0, look()];
    spare?.close();
    spare = source;
    if (spare?.readyState === EventSource.OPEN) spare.close();
    count += 1;
    // The spare one is the attempt before this one.
    const first = spare?.readyState === EventSource.CONNECTING ? count - 1 : count;
    const own = source = new EventSource(`${path}?page=${page}&attempt=${count}&first=${first}`);
    own.addEventListener("open", () => {
      for (const other of [source, spare]) if (other !== own) other?.close();
      [source, spare] = [own, null];
    });
    for (const kind of Object.keys(acts)) {
      own.addEventListener(kind, ({ data }) => {
        if (own !== source) return;
        others.postMessage([kind, data]);
        if (kind !== "beat") keep(kind, data);
        take(kind, data);
      });
    }
    own.addEventListener("error", () => {
      own.close();
      if (own === source && !retry && release) retry = setTimeout(open, 1000 + Math.random() * 2000);
    });
  };
  others.addEventListener("message", ({ data: [kind, data] }) => {
    if (kind !== "hello") return take(kind, data);
    if (source) for (const message of known.values()) others.postMessage(message);
  });

  /** Waits for its turn to have the connection. */
  const begin = () => {
    if (waiting || release) return;
    others.postMessage(["hello"]);
    // Without HTTPS browsers have no locks, and some refuse them with the storage of a page: then each
    // page has a connection of its own.
    const alone = () => {
      [release, waiting] = [() => {}, null];
      open();
    };
    if (!navigator.locks) return alone();
    waiting = new AbortController();
    navigator.locks.request(`stream${path}`, { signal: waiting.signal }, () => {
      waiting = null;
      const turn = new Promise((end) => { release = end; });
      open();
      return turn;
    }).catch((error) => {
      if (error.name === "AbortError") return;
      if (!waiting) throw error;
      alone();
    });
  };
  const end = () => {
    waiting?.abort();
    clearTimeout(retry);
    for (const it of [source, spare]) it?.close();
    release?.();
    [source, spare, release, waiting, retry] = [null, null, null, null, 0];
    known.clear();
  };
  setInterval(() => {
    const time = look();
    if (document.hidden) return;
    if (time - heard > patience) {
      if (!isStale) stale?.(heard);
      isStale = true;
    }
    if (release && !retry && time - heard > limit && time - begun > attempt) open();
    tick();
  }, 250);
  addEventListener("online", () => {
    if (release && look() - heard > 2000) open();
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  addEventListener("pagehide", end);
  addEventListener("pageshow", (event) => event.persisted && begin());
  if (!document.hidden) begin();
  tick();
}
