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

// A link that is opened while this page is shown changes only what follows the #.
addEventListener("hashchange", take);
take();
