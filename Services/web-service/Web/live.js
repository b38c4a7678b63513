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

/**
 * Follows a stream. The page keeps watch itself, because a browser doesn't notice a connection that
 * is half open, and gives up for good when a proxy answers in place of the server.
 *
 * @param path the address of the stream.
 * @param patience how long without a beat until the page says so, in milliseconds.
 * @param stale called with the time of the last contact, or null when there is contact again.
 */
export function follow(path, { patience, stale }) {
  let source = null;
  let heard = Date.now();
  let isStale = false;
  let retry = 0;

  const hear = () => {
    heard = Date.now();
    if (isStale) stale(null);
    isStale = false;
  };
  const open = () => {
    clearTimeout(retry);
    retry = 0;
    source?.close();
    source = new EventSource(path);
    source.addEventListener("beat", (event) => {
      offset = Number(event.data) - Date.now();
      hear();
    });
    source.addEventListener("part", (event) => {
      hear();
      replace(JSON.parse(event.data));
      tick();
    });
    source.addEventListener("over", () => location.reload());
    source.addEventListener("error", again);
  };
  const again = () => {
    source?.close();
    if (!retry && !document.hidden) retry = setTimeout(open, 1000 + Math.random() * 2000);
  };
  setInterval(() => {
    if (document.hidden) return;
    const silence = Date.now() - heard;
    if (silence > patience) {
      if (!isStale) stale(heard);
      isStale = true;
      // Not while one is being opened: that has its own time.
      if (silence > 2 * patience && !retry && source?.readyState !== EventSource.CONNECTING) again();
    }
    tick();
  }, 250);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(retry);
      retry = 0;
      source?.close();
    } else {
      open();
    }
  });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
  tick();
}
