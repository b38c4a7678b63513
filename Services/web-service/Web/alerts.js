// The list of alerts: follows them, and says when it can't.
import { clock, follow, say } from "./live.js";

const state = document.getElementById("state");

follow("/alerts/stream", {
  patience: 12_000,
  stale(heard) {
    state.hidden = heard === null;
    state.textContent = heard === null ? "" : say("asOf", { clock: clock(heard, undefined, true) });
  },
});
