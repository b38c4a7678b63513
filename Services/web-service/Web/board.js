// The board on a wall: follows its shift, counts down, and says when it can't.
import { clock, follow, say } from "./live.js";

const wall = document.getElementById("wall");
let before = null;
let notice = null;
const zone = () => document.querySelector("time[data-zone]")?.dataset.zone;

follow(location.pathname.replace(/\/$/, "") + "/stream", {
  patience: 3000,
  stale(heard) {
    const foot = document.getElementById("state");
    if (heard === null) {
      // The server may have sent another one meanwhile.
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
    // Refused, for example for lack of battery: asked again when the page is shown next.
  }
}
document.addEventListener("visibilitychange", stayOn);
stayOn();

// Moves the picture a little each minute, so that nothing burns into the screen.
let step = 0;
setInterval(() => {
  step = (step + 1) % 8;
  const [x, y] = [[0, 0], [1, 0], [2, 1], [2, 2], [1, 3], [0, 3], [-1, 2], [-1, 1]][step];
  wall.style.translate = `${x}px ${y}px`;
}, 60_000);
