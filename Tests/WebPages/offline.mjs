// Phones that tick tasks and take photos while everything fails: node offline.mjs PORT COOKIE
// ACCOUNT SITE FOLDER PHOTO SEED COUNT. Each of COUNT devices keeps its records in a file in FOLDER
// and its photos, variants of PHOTO, next to it, as a browser would in its database. It loses
// requests and replies, decided by SEED, and ends when everything that it ticked was sent. It
// prints the id of each change that it has confirmed to the person. It may be killed at any time:
// the next run continues with what is in the files.
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, truncateSync,
  writeSync,
} from "node:fs";
import { request } from "node:http";
import {
  Overtaken, Refused, Unreachable, WorkingCopy,
} from "../../Services/web-service/Web/copy.js";
import { Courier } from "../../Services/web-service/Web/courier.js";
import { generator } from "./random.mjs";

const [port, cookie, account, site, folder, photo, ...numbers] = process.argv.slice(2);
const [seed, count] = numbers.map(Number);
/** How many phones are in use at the same time. */
const width = 8;

/** Records in a file, a line for each append. A line without an end was not confirmed: it is cut off
 *  when the file is opened. */
class FileJournal {
  #path;
  #count = 0;

  constructor(path) {
    this.#path = path;
    if (!existsSync(path)) return;
    const bytes = readFileSync(path);
    truncateSync(path, bytes.lastIndexOf(10) + 1);
  }

  async read(from) {
    if (!existsSync(this.#path)) return [];
    const whole = readFileSync(this.#path, "utf8");
    const records = whole.split("\n").filter(Boolean).flatMap((line) => JSON.parse(line));
    this.#count = records.length;
    return records.slice(from);
  }

  async append(from, records) {
    if (from < this.#count) throw new Overtaken();
    const file = openSync(this.#path, "a");
    writeSync(file, JSON.stringify(records) + "\n");
    fsyncSync(file);
    closeSync(file);
    this.#count += records.length;
  }
}

/** Photos in files, each there as a whole or not at all. */
class FileShelf {
  #folder;

  constructor(path) {
    this.#folder = path;
    mkdirSync(path, { recursive: true });
  }

  keep({ photo: { checksum }, file }) {
    const partial = openSync(`${this.#folder}/part`, "w");
    writeSync(partial, file);
    fsyncSync(partial);
    closeSync(partial);
    renameSync(`${this.#folder}/part`, `${this.#folder}/${checksum}`);
  }

  async read(checksum) {
    const path = `${this.#folder}/${checksum}`;
    return existsSync(path) ? readFileSync(path) : null;
  }
}

/** A photo unlike any other. */
function takePhoto() {
  const file = readFileSync(photo);
  const isPlain = (at) => [-1, 0, 1].every((by) => ![0, 255].includes(file[at + by]));
  const random = randomBytes(8);
  // Among the coded pixels, not next to a byte that begins a marker.
  let at = file.length >> 1;
  for (const byte of random) {
    while (!isPlain(at)) at += 1;
    file[at] = 1 + (byte & 127);
    at += 2;
  }
  const checksum = createHash("sha256").update(file).digest("hex");
  return { photo: { checksum, size: file.length, width: 160, height: 120 }, file };
}

/** Asks web-service as the page does, and loses a third of it on the way. */
function ask(random, path, body) {
  return new Promise((resolve, reject) => {
    const fate = random(6);
    const lost = () => reject(new Unreachable("lost"));
    if (fate === 0) return lost();
    const headers = { Cookie: cookie, "Steward-Account": account };
    if (body) {
      headers["Content-Type"] = Buffer.isBuffer(body) ? "image/jpeg" : "application/json";
      headers["Sec-Fetch-Site"] = "same-origin";
    }
    const sent = request(
      { host: "127.0.0.1", port, path, method: body ? "POST" : "GET", headers, timeout: 10_000 },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => { text += part; });
        response.on("error", lost);
        response.on("end", () => {
          if (fate === 1 || !response.complete) return lost();
          if (response.statusCode === 200) return resolve(JSON.parse(text));
          const isJSON = response.headers["content-type"]?.startsWith("application/json");
          const fault = isJSON && response.statusCode < 500 ? JSON.parse(text) : null;
          if (!fault) return reject(new Unreachable(`${response.statusCode}`));
          reject(new Refused(fault.code, fault.message, fault.reason));
        });
      });
    sent.on("error", lost);
    sent.on("timeout", () => sent.destroy());
    sent.end(body && !Buffer.isBuffer(body) ? JSON.stringify(body) : body);
  });
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Repeats what needs the service until it has answered. */
async function insist(act) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await pause(20);
    }
  }
}

function newID() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 15);
  bytes[8] = 0x80 | (bytes[8] & 63);
  return bytes.toString("hex");
}

/** A change such as a person makes with a thumb, with the photos that were taken for it. */
function someChange(random, lists, taken) {
  const list = lists[random(lists.length)];
  const all = list.sections.flatMap((section) => section.tasks);
  const tasks = all.filter(({ id, answer }) => !answer && all.every(({ parent }) => parent !== id));
  const task = tasks[random(tasks.length)].id;
  const findings = list.kind === "preShift" ? ["ok", "notOk", "unspecified"] : ["ok", "unspecified"];
  switch (random(5)) {
    case 0: return { note: { list: list.id, task, text: "looked at" } };
    case 1: case 2: return { addTodo: {
      title: `to do ${random(1000)}`, section: "", area: "kitchen", priority: "during-shift", note: "", travelPath: "",
      number: 0, assignee: "", due: 0, photos: taken.map((it) => it.photo),
    } };
    default: return { mark: {
      list: list.id, task, finding: findings[random(findings.length)], notApplicable: "",
    } };
  }
}

/** A phone from its first page to its last tick. */
async function play(number) {
  // What goes wrong differs after each start. It does not matter what is ticked.
  const random = generator(seed * 7919 + number * 104_729 + process.pid);
  const wanted = 1 + generator(seed + number)(6);
  const copy = await WorkingCopy.open(new FileJournal(`${folder}/${number}`), async () => ({
    device: `web-${randomBytes(6).toString("hex")}`,
    snapshot: await insist(() => ask(random, `/shift/${site}/snapshot`)),
  }));
  const shift = copy.shift.id;
  const shelf = new FileShelf(`${folder}-photos/${number}`);
  const courier = new Courier(copy, (kind, body) =>
    kind === "record" ? ask(random, "/operations", body)
      : kind === "photo" ? ask(random, `/photos/${shift}`, body.file)
      : ask(random, `/operations/${shift}?${new URLSearchParams(body)}`), undefined, shelf);
  const { lists } = copy.snapshot;
  while (copy.deviceHead < wanted) {
    const id = newID();
    const taken = Array.from({ length: random(3) }, takePhoto);
    taken.forEach((it) => shelf.keep(it));
    await copy.append(someChange(random, lists, taken), { id, deviceTime: Date.now() });
    process.stdout.write(`kept ${id}\n`);
    if (random(2) === 0) await courier.run().catch((error) => {
      if (!(error instanceof Unreachable)) throw error;
    });
    await pause(random(30));
  }
  await insist(() => courier.run());
  if (copy.waiting.length > 0 || copy.refused.length > 0) {
    throw new Error(`${number}: ${JSON.stringify(copy.refused)} were refused`);
  }
}

let next = 0;
await Promise.all(Array.from({ length: width }, async () => {
  while (next < count) {
    next += 1;
    await play(next - 1);
  }
}));
process.stdout.write("all was sent\n");
