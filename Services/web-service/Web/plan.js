// A plan: zoom and pan by touch, wheel, keys and buttons; findings and their marks lead to each
// other. The drawing itself is a picture; without this script it can be scrolled and saved.
import { follow, say } from "./live.js";

const view = document.getElementById("view");
const state = document.getElementById("state");
const { revision } = document.getElementById("plan").dataset;

if (view) {
  const paper = view.querySelector(".paper");
  const image = paper.querySelector("img");
  const ratio = Number(image.getAttribute("width")) / Number(image.getAttribute("height"));
  const most = 12;
  const key = "view:" + location.pathname;
  /** How many times larger than when the whole plan is shown. */
  let zoom = 1;
  const lock = document.querySelector("[data-lock]");
  /** True while the view is locked: nothing zooms or pans it. */
  let isLocked = false;

  const whole = () => Math.min(view.clientWidth, view.clientHeight * ratio);

  /** Zooms so that what is at a point of the view stays there. */
  function zoomTo(next, x = view.clientWidth / 2, y = view.clientHeight / 2) {
    const before = paper.getBoundingClientRect();
    const outer = view.getBoundingClientRect();
    const across = (x + outer.left - before.left) / before.width;
    const down = (y + outer.top - before.top) / before.height;
    zoom = Math.min(most, Math.max(1, next));
    paper.style.width = `${whole() * zoom}px`;
    const after = paper.getBoundingClientRect();
    view.scrollLeft += after.left + across * after.width - outer.left - x;
    view.scrollTop += after.top + down * after.height - outer.top - y;
    view.classList.toggle("near", zoom > 1);
    keep();
  }

  // The part that is shown is kept for this tab, so that loading again shows the same part.
  const keep = () => {
    const place = [
      zoom, view.scrollLeft / paper.clientWidth, view.scrollTop / paper.clientHeight, isLocked,
    ];
    try { sessionStorage.setItem(key, JSON.stringify(place)); } catch { /* there is no room */ }
  };
  view.addEventListener("scroll", keep, { passive: true });

  document.getElementById("tools").hidden = false;
  function setLock(isOn) {
    isLocked = isOn;
    lock.setAttribute("aria-pressed", String(isOn));
    view.classList.toggle("locked", isOn);
    for (const button of document.querySelectorAll("[data-zoom]")) button.disabled = isOn;
    keep();
  }
  lock.addEventListener("click", () => setLock(!isLocked));
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const kind = button.dataset.zoom;
      zoomTo(kind === "all" ? 1 : kind === "larger" ? zoom * 1.5 : zoom / 1.5);
    });
  }
  view.addEventListener("wheel", (event) => {
    // A wheel pans; with Ctrl, which is also how a pinch on a trackpad is reported, it zooms.
    if (!event.ctrlKey || isLocked) return;
    event.preventDefault();
    const outer = view.getBoundingClientRect();
    zoomTo(zoom * Math.exp(-event.deltaY / 300), event.clientX - outer.left, event.clientY - outer.top);
  }, { passive: false });
  view.addEventListener("keydown", (event) => {
    const next = { "+": zoom * 1.5, "=": zoom * 1.5, "-": zoom / 1.5, 0: 1 }[event.key];
    if (next === undefined || isLocked || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    zoomTo(next);
  });

  // One finger scrolls, which the browser does itself; a mouse drags; two fingers zoom.
  const touches = new Map();
  let spread = 0;
  const two = () => {
    const [first, second] = [...touches.values()];
    return {
      apart: Math.hypot(first.x - second.x, first.y - second.y),
      x: (first.x + second.x) / 2, y: (first.y + second.y) / 2,
    };
  };
  view.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-finding]")) return;
    touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (event.pointerType === "mouse" && event.button === 0) view.setPointerCapture(event.pointerId);
    if (touches.size === 2) spread = two().apart;
  });
  view.addEventListener("pointermove", (event) => {
    const touch = touches.get(event.pointerId);
    if (!touch) return;
    const moved = { x: event.clientX - touch.x, y: event.clientY - touch.y };
    [touch.x, touch.y] = [event.clientX, event.clientY];
    if (isLocked) return;
    if (touches.size === 2) {
      const { apart, x, y } = two();
      const outer = view.getBoundingClientRect();
      if (spread > 0) zoomTo(zoom * apart / spread, x - outer.left, y - outer.top);
      spread = apart;
    } else if (event.pointerType === "mouse") {
      view.scrollLeft -= moved.x;
      view.scrollTop -= moved.y;
    }
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    view.addEventListener(end, (event) => touches.delete(event.pointerId));
  }
  // The browser's own pinch would zoom the whole page.
  view.addEventListener("touchmove", (event) => {
    if (event.touches.length > 1) event.preventDefault();
  }, { passive: false });

  // Findings: a mark leads to its text, a text to its mark.
  function choose(number, isMark) {
    for (const it of document.querySelectorAll("[data-finding]")) {
      it.classList.toggle("chosen", it.dataset.finding === number);
    }
    const mark = paper.querySelector(`[data-finding="${number}"]`);
    const item = document.getElementById(`finding-${number}`);
    if (isMark) {
      item?.scrollIntoView({ block: "nearest" });
      item?.querySelector("button")?.focus({ preventScroll: true });
    } else if (mark && !isLocked) {
      if (zoom < 3) zoomTo(3);
      const [at, outer] = [mark.getBoundingClientRect(), view.getBoundingClientRect()];
      view.scrollLeft += at.left + at.width / 2 - outer.left - outer.width / 2;
      view.scrollTop += at.top + at.height / 2 - outer.top - outer.height / 2;
      view.scrollIntoView({ block: "nearest" });
    }
  }
  for (const mark of paper.querySelectorAll("[data-finding]")) {
    mark.addEventListener("click", () => choose(mark.dataset.finding, true));
  }
  for (const item of document.querySelectorAll("li[data-finding]")) {
    // The number becomes a button where there is a mark to show.
    const number = item.querySelector(".number");
    if (!paper.querySelector(`[data-finding="${item.dataset.finding}"]`)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "number";
    button.textContent = number.textContent;
    button.setAttribute("aria-label", `${view.getAttribute("aria-label")}: ${number.textContent}`);
    button.addEventListener("click", () => choose(item.dataset.finding, false));
    number.replaceWith(button);
  }

  const begin = () => {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(key)); } catch { /* shown as a whole */ }
    zoomTo(kept?.[0] ?? 1);
    if (kept) {
      view.scrollLeft = kept[1] * paper.clientWidth;
      view.scrollTop = kept[2] * paper.clientHeight;
    }
    setLock(kept?.[3] === true);
  };
  begin();
  new ResizeObserver(() => zoomTo(zoom)).observe(view);

  // Ticking a box is enough to change what is drawn.
  const choices = document.getElementById("choices");
  choices.querySelector("button").hidden = true;
  choices.addEventListener("change", () => choices.requestSubmit());
}

/** Says that the plan was changed, and leaves it to the person when to look. */
function tellChange() {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = say("reload");
  button.addEventListener("click", () => location.reload());
  state.className = "state";
  state.replaceChildren(say("planChanged"), button);
  state.hidden = false;
}

let isChanged = false;
follow(location.pathname.replace(/\/$/, "") + "/stream", {
  patience: 12_000,
  stale(heard) {
    if (isChanged) return;
    // The bell of this page needn't say the same above it.
    state.className = heard === null ? "state" : "state stale";
    state.hidden = heard === null;
    state.textContent = heard === null ? "" : say("asOf", { clock: clockOf(heard) });
  },
  changed(now) {
    if (now === revision || isChanged) return;
    isChanged = true;
    tellChange();
  },
});

function clockOf(time) {
  return new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", hourCycle: "h23" }).format(time);
}
