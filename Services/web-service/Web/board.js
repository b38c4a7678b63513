// The board on a wall: follows its shift, counts down, and says when it can't.
import { Alarm } from "./alarm.js";
import { build, clock, follow, now, request, say } from "./live.js";

const wall = document.getElementById("wall");
let before = null;
let notice = null;
let isOutdated = false;
const zone = () => document.querySelector("time[data-zone]")?.dataset.zone;

follow(location.pathname.replace(/\/$/, "") + "/stream", {
  patience: 3000,
  // Nobody presses anything on a wall: the board loads the new version when nothing needs
  // attention.
  outdated() { isOutdated = true; },
  stale(heard) {
    const foot = document.getElementById("state");
    if (heard === null) {
      // The server may have sent another foot meanwhile.
      if (foot === notice) foot.replaceWith(before);
      return;
    }
    before = foot.cloneNode(true);
    notice = foot;
    foot.className = "stale";
    foot.textContent = say("asOf", { clock: clock(heard, zone(), true) });
  },
});

// The screen stays on, where the browser lets a page ask for that.
async function stayOn() {
  if (document.hidden || !navigator.wakeLock) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // Refused, for example because the battery is low: asked again when the page is next shown.
  }
}
document.addEventListener("visibilitychange", stayOn);
stayOn();

// Sound, once someone has asked for it: every minute while a travel path is late. Browsers allow it
// after a tap; one that is set up for a wall allows it at once.
const alarm = new Alarm();
const sound = build(["button", { type: "button", class: "sound" }, say("sound")]);
sound.setAttribute("aria-pressed", "false");
async function setSound(isOn) {
  const isReady = isOn && await alarm.unlock(false);
  sound.setAttribute("aria-pressed", String(isReady));
  return isReady;
}
sound.addEventListener("click", async () => {
  const isOn = await setSound(sound.getAttribute("aria-pressed") !== "true");
  if (isOn) alarm.chime(0.5, 1);
  try { localStorage.setItem("sound", isOn ? "on" : "off"); } catch { /* it lasts while the page is open */ }
});
try {
  if (localStorage.getItem("sound") === "on") setSound(true);
} catch { /* nothing is kept in this browser */ }
wall.after(sound);

const isLate = () => document.querySelector("#path.late") !== null;
const isQuiet = () => document.querySelector("#path.late, #path.soon, #state.stale") === null;
/** When it last sounded, by a clock that nobody sets. */
let lastSound = -Infinity;
setInterval(() => {
  if (!isLate()) lastSound = -Infinity;
  else if (performance.now() - lastSound >= 60_000 && sound.getAttribute("aria-pressed") === "true") {
    lastSound = performance.now();
    alarm.chime(1);
  }
}, 500);

// At night the picture is dimmed while no shift is open, and bright as soon as one begins.
function dim() {
  const hour = Number(clock(now(), zone()).slice(0, 2));
  const isIdle = document.querySelector("#path.idle") !== null;
  document.body.classList.toggle("night", isIdle && (hour >= 23 || hour < 5));
}
document.addEventListener("part", dim);

// Moves the picture a little every minute, so that nothing burns into the screen.
let step = 0;
function turn() {
  const [x, y] = [[0, 0], [1, 0], [2, 1], [2, 2], [1, 3], [0, 3], [-1, 2], [-1, 1]][step];
  wall.style.translate = `${x}px ${y}px`;
  step = (step + 1) % 8;
  dim();
  // A shift may be in another language than the page, which was opened before it began.
  const { language } = document.getElementById("head").dataset;
  const { lang } = document.documentElement;
  if ((isOutdated || (language && language !== lang)) && isQuiet()) reload();
}

/** Loads the page again, if the server answers: an error of the browser would stay on the wall. */
async function reload() {
  const answer = await request(location.href, { cache: "no-store" }).catch(() => null);
  // Something may need attention by then.
  if (answer?.ok && isQuiet()) location.reload();
}
turn();
setInterval(turn, 60_000);
