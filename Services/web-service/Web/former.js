// The copies of former shifts on this device: which are kept, and which are deleted.
//
// A copy is deleted when the service has had all of it for a while. No clock of this device counts for
// that, because it may be wrong: the times are those that the service has written.
import { Refused, Unreachable, isNeeded, shiftOf } from "./copy.js";

/** How long a copy is kept after the end of its shift, in milliseconds: if a backup is restored within
 *  that time, what it lacks is sent once more. */
const keeping = 7 * 86_400_000;
/** The most shifts about which the service is asked, each time, whether they have ended. */
const mostAsked = 5;

/**
 * Sends what waits in former copies, and deletes those that are no longer needed, of every account of
 * this device.
 *
 * @param shelf has the copies: `names()`, `copy(name)`, `remove(name)`, and `alone(name, act)`, which
 *   does something while no page has the copy open, and nothing if one has.
 * @param endOf asks the service when a shift has ended, after a sequence that this device has; 0 if it
 *   hasn't. Throws `Refused` or `Unreachable`.
 * @param send sends what waits in a copy: `send(name, copy)`; what can't be sent stays there.
 * @param open the shift that is open, as the service has it.
 */
export async function sweep(shelf, endOf, send, { id: open, started: now }) {
  const names = (await shelf.names()).filter((name) => shiftOf(name));
  // In a different order each time, so that no copy stays for good because others get no answer.
  for (let last = names.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [names[last], names[other]] = [names[other], names[last]];
  }
  let asked = 0;
  for (const name of names) {
    const shift = shiftOf(name);
    if (shift === open) continue;
    await shelf.alone(name, async () => {
      const copy = await shelf.copy(name);
      if (!copy || copy.shift.id !== shift) return;
      if (isNeeded(copy)) await send(name, copy);
      if (isNeeded(copy)) return;
      let { ended } = copy.shift;
      if (ended === 0) {
        if (asked === mostAsked) return;
        asked += 1;
        ended = await endOf(shift, copy.head).catch((error) => {
          if (error instanceof Refused || error instanceof Unreachable) return 0;
          throw error;
        });
      }
      if (ended > 0 && now - ended >= keeping) await shelf.remove(name);
    });
  }
}
