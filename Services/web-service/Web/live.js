// What pages that stay up to date have in common: the stream, its watch, and the parts of the page
// that it replaces.

/** The words of this page's language. */
const words = (await import(document.documentElement.dataset.words)).default;

/** A phrase with its arguments. */
export const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

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

/** Replaces a part of the page, and keeps the focus where it was. */
function replace({ id, node }) {
  const old = document.getElementById(id);
  if (!old) return;
  const fresh = build(node);
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.closest("[data-key]")?.dataset.key;
  old.replaceWith(fresh);
  if (!held) return;
  const place = key && [...fresh.querySelectorAll("[data-key]")].find((it) => it.dataset.key === key);
  const target = place?.querySelector(held.tagName) ?? document.getElementById("main");
  target?.focus({ preventScroll: true });
}

/** The difference between the server's clock and this device's, in milliseconds. */
let offset = 0;
/** The time by the server's clock, milliseconds since 1970. */
export const now = () => Date.now() + offset;

const pad = (number) => String(number).padStart(2, "0");

/** The time of day of this device or of a zone. */
export function clock(time, zone, withSeconds = false) {
  const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (zone) form.timeZone = zone;
  if (withSeconds) form.second = "2-digit";
  return new Intl.DateTimeFormat("en-GB", form).format(time);
}

/** Writes the times that go on by themselves: clocks, and what counts down or up. */
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
    write(element, clock(Number(element.dataset.time)));
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The version of the files of this page, which is in their addresses. */
const version = new URL(import.meta.url).pathname.split("/")[2];
let isOutdated = false;

/** Says that the server has another version, and leaves it to the person when to load the page. */
function offerReload() {
  const notice = build(["div", { class: "state version", role: "status" }, ["span", {}, say("newVersion")]]);
  const button = build(["button", { type: "button" }, say("reload")]);
  button.addEventListener("click", () => location.reload());
  notice.append(button);
  document.body.append(notice);
}

/**
 * Follows a stream. The page keeps watch itself, because a browser doesn't notice a connection that
 * is half open, and gives up for good when a proxy answers in place of the server.
 *
 * Of all pages of this browser that follow the same stream, one has the connection and tells the
 * others what comes: browsers open six connections to a server and no more. A page that is hidden
 * has none.
 *
 * @param path the address of the stream.
 * @param patience how long without a beat until the page says so, in milliseconds.
 * @param changed called with the revision of what the page shows, where the page replaces nothing.
 * @param stale called with the time of the last contact, or null when there is contact again.
 * @param outdated called once when the server has another version than this page.
 * @param over called when the log-in is over; otherwise the page is loaded again, which leads to the
 *   log-in.
 */
export function follow(path, {
  patience, stale, changed, outdated = offerReload, over = () => location.reload(),
}) {
  const others = new BroadcastChannel(`stream${path}`);
  const known = new Map();
  let [source, release, waiting] = [null, null, null];
  let heard = Date.now();
  let [isStale, retry] = [false, 0];

  const hear = () => {
    heard = Date.now();
    if (isStale) stale?.(null);
    isStale = false;
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
  /** What a page that comes later has to know. */
  const keep = (kind, data) => known.set(kind === "part" ? JSON.parse(data).id : kind, [kind, data]);

  const open = () => {
    clearTimeout(retry);
    retry = 0;
    source?.close();
    source = new EventSource(path);
    for (const kind of Object.keys(acts)) {
      source.addEventListener(kind, ({ data }) => {
        others.postMessage([kind, data]);
        if (kind !== "beat") keep(kind, data);
        take(kind, data);
      });
    }
    source.addEventListener("error", again);
  };
  const again = () => {
    source?.close();
    if (!retry && release) retry = setTimeout(open, 1000 + Math.random() * 2000);
  };
  others.addEventListener("message", ({ data: [kind, data] }) => {
    if (kind !== "hello") return take(kind, data);
    if (source) for (const message of known.values()) others.postMessage(message);
  });

  /** Waits for its turn to have the connection. */
  const begin = () => {
    if (waiting || release) return;
    others.postMessage(["hello"]);
    // Without HTTPS browsers have no locks: then each page has a connection of its own.
    if (!navigator.locks) {
      release = () => {};
      return open();
    }
    waiting = new AbortController();
    navigator.locks.request(`stream${path}`, { signal: waiting.signal }, () => {
      waiting = null;
      const turn = new Promise((end) => { release = end; });
      open();
      return turn;
    }).catch((error) => {
      if (error.name !== "AbortError") throw error;
    });
  };
  const end = () => {
    waiting?.abort();
    clearTimeout(retry);
    source?.close();
    release?.();
    [source, release, waiting, retry] = [null, null, null, 0];
    known.clear();
  };
  setInterval(() => {
    if (document.hidden) return;
    const silence = Date.now() - heard;
    if (silence > patience) {
      if (!isStale) stale?.(heard);
      isStale = true;
      // Not while one is being opened: that has its own time.
      const isOpening = source?.readyState === EventSource.CONNECTING;
      if (silence > 2 * patience && release && !retry && !isOpening) again();
    }
    tick();
  }, 250);
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  addEventListener("pagehide", end);
  addEventListener("pageshow", (event) => event.persisted && begin());
  if (!document.hidden) begin();
  tick();
}
