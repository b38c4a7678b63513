// On every page of someone who is logged in: how many alerts are open, and those that are urgent,
// which sound until someone acknowledges them. On the page of alerts it keeps the list up to date.
import { Alarm } from "./alarm.js";
import { build, clock, follow, onceDrawn, request, say } from "./live.js";

const alarm = new Alarm();
/** The time between two sounds, in milliseconds. */
const pause = 20_000;
/** How long an alert may take to go away once it is acknowledged, in milliseconds. */
const again = 5_000;
let [sounds, timer] = [0, 0];

const isUrgent = () => document.querySelector("#urgent .alert, #list .alert.urgent") !== null;

/** Sounds, louder each time. Browsers allow it once someone has used the page. */
async function sound() {
  if (!isUrgent()) return;
  if (!alarm.isReady && navigator.userActivation?.hasBeenActive) await alarm.unlock(false);
  if (!alarm.isReady) return;
  sounds += 1;
  alarm.chime(Math.min(1, sounds * 0.2));
  navigator.vibrate?.([300, 150, 300]);
}

/** Begins or ends the sounds. */
function look() {
  if (isUrgent() === (timer !== 0)) return;
  clearInterval(timer);
  [sounds, timer] = [0, isUrgent() ? setInterval(sound, pause) : 0];
  sound();
}
document.addEventListener("part", look);
for (const kind of ["pointerup", "keyup"]) {
  addEventListener(kind, () => timer && sounds === 0 && sound());
}

// Acknowledging an urgent alert doesn't leave the page, so that people can continue their work, even
// if it fails: a page that follows a ride would no longer ring.
document.getElementById("urgent-alerts")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  button.disabled = true;
  form.querySelector(".fault")?.remove();
  try {
    // With this header a log-in that is over is an error, and not another page.
    const headers = { "Steward-Account": "" };
    const { status } = await request(form.action, { method: "POST", redirect: "manual", headers });
    // The status of a redirection isn't shown to scripts: it is 0. If something in front of the
    // server has redirected in its place, the alert stays, and somebody can press again.
    if (status === 0) {
      setTimeout(() => { button.disabled = false; }, again);
      return;
    }
  } catch { /* there is no network */ }
  button.disabled = false;
  form.append(build(["p", { class: "fault", role: "alert" }, say("notAcknowledged")]));
  button.focus({ preventScroll: true });
});

// These pages work without a log-in, and say themselves that it is over. This device keeps them, so
// loading them again would show the same page, again and again.
const goesOn = document.querySelector("#shift, #ride") !== null;

const stream = {
  patience: 12_000,
  ...(goesOn ? { over() { /* it stays closed until the page is shown or opened again */ } } : {}),
  stale(heard) {
    const state = document.getElementById("alert-state");
    if (!state) return;
    state.hidden = heard === null;
    state.textContent = heard === null ? "" : say("asOf", { clock: clock(heard, undefined, true) });
  },
};

let hasBegun = false;
function begin() {
  if (!hasBegun) follow("/alerts/stream", stream);
  hasBegun = true;
}

// On these pages, wait until the checklist is drawn: a slow phone is busy with it.
const empty = document.querySelector("#shift:empty");
if (empty) {
  new MutationObserver((_, watch) => {
    watch.disconnect();
    onceDrawn(begin);
  }).observe(empty, { childList: true });
  setTimeout(begin, 5000);
} else {
  onceDrawn(begin);
}
look();
