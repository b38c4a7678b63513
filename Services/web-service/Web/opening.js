// How a checklist is opened: this runs while the other scripts are still being loaded, so that what
// is kept here and the open shift are there by the time those scripts can show them. A slow phone
// needs most of a second for that.
import {
  BrowserBase, BrowserJournal, BrowserPhotos, Refused, Unreachable, WorkingCopy, noted,
} from "./copy.js";
import { clock, request, say } from "./live.js";

const { site, account, zone } = document.getElementById("shift").dataset;
export { account, site };

/** How long it may take to send a photo, in milliseconds: half a megabyte on a slow network. */
const longestUpload = 120_000;

/** Asks the server; throws what the courier understands.
 *
 * @param silence what to say when there is no answer. */
export async function ask(path, body, {
  headers = { "Steward-Account": account }, silence = say("noService"),
} = {}) {
  const isFile = body instanceof Uint8Array;
  let answer;
  try {
    if (body) headers["Content-Type"] = isFile ? "image/jpeg" : "application/json";
    answer = await request(path, {
      method: body ? "POST" : "GET", headers, body: body && !isFile ? JSON.stringify(body) : body,
    }, isFile ? longestUpload : undefined);
  } catch {
    throw new Unreachable(silence);
  }
  if (answer.status === 401) throw new Unreachable(say("loggedOut"));
  if (answer.ok && answer.body) return answer.body;
  // If the server can't read a message, or it is too long, the refusal has no reason, and may be
  // plain text.
  if (body && [400, 413].includes(answer.status) && !answer.body?.reason) {
    throw new Refused(answer.status === 413 ? "tooLarge" : "invalid", say("notRead"));
  }
  // What is refused only for now has a reason, too.
  if (!answer.body || answer.status >= 500) {
    throw new Unreachable(answer.body?.reason ? answer.body.message : silence);
  }
  throw new Refused(answer.body.code, answer.body.message, answer.body.reason);
}

/** A UUIDv7 of a time as 32 hexadecimal digits. */
export function newID(time = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 0; index < 6; index += 1) bytes[index] = (time / 2 ** (40 - 8 * index)) & 255;
  bytes[6] = 0x70 | (bytes[6] & 15);
  bytes[8] = 0x80 | (bytes[8] & 63);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The database of this device. */
export const base = new BrowserBase();
/** Which shifts were open at the site, the last one at the end. */
const known = new BrowserJournal(base, `open/${account}/${site}`);
export const opened = async () => (await known.read(0)).map(({ shift }) => shift);

/** The copy of a shift with this device's photos of it; null where there is none. */
export async function keptAs(shift, begin = null) {
  const name = `${account}/${shift}`;
  const copy = await WorkingCopy.open(new BrowserJournal(base, name), begin);
  return copy && { copy, photos: new BrowserPhotos(base, `${name}/photos`) };
}

/** The copy of the shift that was open last; null if there is none. */
async function kept() {
  const last = (await opened()).at(-1);
  return last ? keptAs(last) : null;
}

/** Asks the service for the open shift. The page has begun to load it already. To use that, ask at the
 *  same address, with no headers. */
export const readShift = () => ask(
  `/shift/${encodeURIComponent(site)}/snapshot?account=${encodeURIComponent(account)}`, null,
  { headers: {} });

/** Keeps here the shift that the service has open, and returns its copy. */
export async function adopt(snapshot) {
  const shift = snapshot.shift.id;
  const own = keptAs(shift, async () => ({ device: `web-${newID().slice(-12)}`, snapshot }));
  await Promise.all([known.rewrite((notes) => noted(notes, shift)), own]);
  return own;
}

/** The copy of the open shift, once the service has said which that is. */
async function adopted() {
  const snapshot = await opening.coming;
  const own = await opening.own.catch(() => null);
  return own?.copy.shift.id === snapshot.shift.id ? own : adopt(snapshot);
}

/** The page is opened with the copy that was kept here, the open shift as the service has it, and
 *  the copy of that one. */
export const opening = { own: kept(), coming: readShift() };
opening.adopted = adopted();
// The error goes to whoever awaits them.
for (const it of Object.values(opening)) it.catch(() => {});

// Browsers take long to format their first time in a zone. Do it while both requests are under way.
clock(Date.now(), zone);
