// A link for another device has the name and a single-use code after the #, and an invitation only a
// code; no server sees them. They are filled in and removed from the address. The person presses the
// button: a link that someone sends logs nobody in by itself.
import { say } from "./live.js";

/** Fills in what the address has after its #. */
function take() {
  const values = new URLSearchParams(location.hash.slice(1));
  const [name, code] = [values.get("name"), values.get("code")];
  const invitation = document.getElementById("code");
  if (invitation && code) {
    history.replaceState(null, "", location.pathname);
    invitation.value = code.slice(0, 100);
    document.getElementById("name").focus();
  }
  if (invitation) return;
  if (!name || !code) return;
  history.replaceState(null, "", location.pathname + location.search);
  document.getElementById("name").value = name.slice(0, 400);
  const field = document.getElementById("password");
  field.value = code.slice(0, 100);
  field.autocomplete = "one-time-code";
  const form = document.querySelector("form[action='/login']");
  const note = document.getElementById("filled") ?? document.createElement("p");
  note.id = "filled";
  note.className = "note";
  note.setAttribute("role", "status");
  note.textContent = say("codeThere", { name });
  form.before(note);
  form.querySelector("button.main").focus();
}

/** Says how many operations wait on this device. They are sent when whoever made them logs in. */
async function tellWaiting() {
  const { BrowserBase, BrowserJournal, WorkingCopy } = await import("./copy.js");
  const base = new BrowserBase();
  let count = 0;
  for (const name of await BrowserJournal.names(base)) {
    // The name of a copy is an account and a shift.
    if (name.split("/").length !== 2) continue;
    const copy = await WorkingCopy.open(new BrowserJournal(base, name)).catch(() => null);
    count += copy?.waiting.length ?? 0;
  }
  await base.close();
  if (count === 0) return;
  const note = document.createElement("p");
  note.id = "waiting";
  note.className = "note";
  note.setAttribute("role", "status");
  note.textContent = say("waitHere", { count });
  document.querySelector("form[action='/login']")?.before(note);
}

/** Deletes the positions and stops of rides: all of them after a log-out, otherwise those that are
 *  old by the server's time, which positions have. */
async function forgetRides() {
  const { forget } = await import("./positions.js");
  const made = Number(document.querySelector("[data-now]")?.dataset.now);
  forget(localStorage, isOut ? Infinity : made + performance.now());
}

const isOut = new URLSearchParams(location.search).has("out");
// Tell whoever has just logged out. A browser that keeps nothing has nothing that waits.
if (isOut) tellWaiting().catch(() => {});
forgetRides().catch(() => {});

// A link that is opened while this page is shown changes only what follows the #.
addEventListener("hashchange", take);
take();
