// Sends a device's operations to the service, in order, each once, and fetches the operations of
// others: the courier of the command line, for browsers. A photo goes before the operation that names
// it, and each operation as soon as its photos have arrived, so that a connection which breaks again
// and again carries them all in the end.
//
// A server may refuse a whole message, because it is older than the page and can't read an
// operation in it. Then smaller messages are sent, until the one that can't be read is alone. It is
// replaced by an operation with its number and no change, which the service refuses by itself:
// those that come after it are then recorded, and it stays on the device, from where it can be sent
// again.
import { photosOf } from "./answers.js";
import { Refused, Unreachable } from "./copy.js";

/** The most operations in one message, and the most characters of them. */
const most = 500;
const longest = 200_000;

/** An operation with the number of another one, which every version of the service can read and
 *  refuses. */
const standIn = ({ id, shift, device, deviceSequence, seen }) => (
  { id, shift, device, deviceSequence, seen, deviceTime: 0 });

/** The reasons for which another version of the service, or another attempt, may record what this
 *  one refuses. */
const passing = new Set(["operation.unknown", "photo.lost"]);

/** The reasons for which the id of a message is refused, because a clock is wrong: the same message
 *  may be accepted later, under another id. */
const ofID = new Set(["id.version", "id.old", "id.ahead", "answer.deleted"]);

export class Courier {
  #copy;
  #ask;
  #tell;
  #answered = new Set();
  /** How often the copy had started over when this courier last looked. */
  #rewindings;
  /** True until it is known that the service has the same history as this device. */
  #mustLookFirst = true;
  #hasRewound = false;
  #photos;
  /** The photos that the service keeps, and those that can't be sent to it. */
  #arrived = new Set();
  #lost = new Set();
  /** True if photos were sent once more since the last operation was recorded. */
  #hasSentAgain = false;
  /** The maximum number of operations in a message. */
  #limit = most;
  /** Why the service can't read the operations that are replaced, by their ids. */
  #unreadable = new Map();
  isBehind = true;
  /** Why the service can't be reached now; null if it can. */
  obstacle = null;
  /** Why the service accepts nothing from this person; null if it does. */
  denial = null;

  /**
   * @param copy the working copy.
   * @param ask asks the service: `ask("record", {operations, deviceHead, lostPhotos, sentAt})`,
   *   `ask("read", {after, device, deviceHead})` and `ask("photo", {checksum, file})`; throws
   *   `Unreachable` or `Refused`.
   * @param tell called with news for the person: a key and the operation that it is about.
   * @param photos the photos of this device: `read(checksum)`.
   */
  constructor(copy, ask, tell = () => {}, photos = { read: async () => null }) {
    this.#photos = photos;
    this.#copy = copy;
    this.#rewindings = copy.rewindings;
    this.#ask = ask;
    this.#tell = tell;
  }

  get #unsent() {
    return this.#copy.waiting.filter((operation) => !this.#answered.has(operation.id));
  }

  /** True while there is something to send or to fetch. */
  get isBusy() {
    return this.isBehind || this.#unsent.length > 0;
  }

  /** Sends and fetches until everything is done, or throws `Unreachable` or `Refused`. */
  async run() {
    this.isBehind = true;
    this.#lost.clear();
    while (this.isBusy) await this.turn();
  }

  #isUnsent = ({ checksum }) => !this.#arrived.has(checksum) && !this.#lost.has(checksum);

  /** The operations that go next: those ahead of the next one whose photos have to go before it. */
  get #batch() {
    let length = 0;
    const batch = [];
    for (const operation of this.#unsent.slice(0, this.#limit)) {
      length += JSON.stringify(operation).length;
      const hasToWait = length > longest || photosOf(operation).some(this.#isUnsent);
      if (batch.length > 0 && hasToWait) break;
      batch.push(operation);
    }
    return batch;
  }

  /** The photo that has to go before an operation; null when there is none. */
  async #photoBefore(operation) {
    for (const { checksum } of photosOf(operation).filter(this.#isUnsent)) {
      const file = await this.#photos.read(checksum);
      if (file) return { checksum, file };
      this.#lost.add(checksum);
    }
    return null;
  }

  /** Sends one message and applies the answer. */
  async turn() {
    const copy = this.#copy;
    // Another tab has learnt of a restored backup, and may be gone.
    if (copy.rewindings !== this.#rewindings) this.#startOver();
    const batch = this.#mustLookFirst ? [] : this.#batch;
    const photo = batch.length > 0 ? await this.#photoBefore(batch[0]) : null;
    const kind = photo ? "photo" : batch.length > 0 ? "record" : "read";
    try {
      if (kind === "photo") {
        await this.#ask("photo", photo);
        this.#arrived.add(photo.checksum);
      } else if (kind === "record") {
        const lostPhotos = [...new Set(batch.flatMap(photosOf).map(({ checksum }) => checksum))]
          .filter((checksum) => this.#lost.has(checksum));
        const operations = batch.map((it) => (
          it.change && !this.#unreadable.has(it.id) ? it : standIn(it)));
        await this.#settle(await this.#ask(
          "record",
          { operations, deviceHead: copy.deviceHead, lostPhotos, sentAt: Date.now() }));
        this.#limit = Math.min(most, 2 * this.#limit);
      } else {
        // The newest operation that is here is fetched once more, as proof that the history is the
        // same.
        const after = copy.operations.at(-2)?.sequence ?? 0;
        await this.#take(
          await this.#ask("read", { after, device: copy.device, deviceHead: copy.deviceHead }));
      }
      this.obstacle = this.denial = null;
    } catch (error) {
      if (error instanceof Refused && error.code === "conflict" && kind === "read" && copy.head > 0) {
        await this.#rewind();
        return;
      }
      if (error instanceof Refused && kind === "photo" && !ofID.has(error.reason)
        && ["invalid", "tooLarge", "conflict"].includes(error.code)) {
        // Its operation will be refused for good, and no other has to wait.
        this.#lost.add(photo.checksum);
        return;
      }
      if (error instanceof Refused && error.reason === "photo.missing" && !this.#hasSentAgain) {
        // An older backup was restored after they had been sent.
        this.#hasSentAgain = true;
        this.#arrived.clear();
        return;
      }
      if (error instanceof Refused && kind === "record" && this.#narrow(batch, error)) return;
      this.isBehind = true;
      // If this device can't keep something, that casts no doubt on the service.
      if (error instanceof Refused || error instanceof Unreachable) this.#mustLookFirst = true;
      if (error instanceof Refused) this.denial = error.message;
      if (error instanceof Unreachable) this.obstacle = error.message;
      throw error;
    }
  }

  /** Looks for the operation that made the service refuse a whole message.
   *
   * @returns false if there is none, because the service refuses every message. */
  #narrow(batch, { code, message, reason }) {
    if (!["invalid", "tooLarge"].includes(code) || ofID.has(reason)) return false;
    this.#limit = Math.max(1, Math.floor(batch.length / 2));
    if (batch.length > 1) return true;
    const [{ id }] = batch;
    // It is sent as it is when the page next tries.
    if (this.#unreadable.delete(id)) return false;
    this.#unreadable.set(id, message);
    return true;
  }

  /** The service has an older history: a backup was restored. */
  async #rewind() {
    await this.#copy.rewind();
    this.#startOver();
    this.#hasRewound = true;
    this.#tell("forgotten", null);
  }

  /** Forgets what the service has answered, so that everything that waits is sent. */
  #startOver() {
    this.#rewindings = this.#copy.rewindings;
    this.#unreadable.clear();
    this.#answered.clear();
    this.#arrived.clear();
    this.isBehind = true;
  }

  async #settle({ outcomes }) {
    // The service asks for an operation that it had before.
    const isGap = (outcome) =>
      outcome.kind === "refused" && outcome.refusalReason === "shift.gap" && !this.#hasRewound;
    if (outcomes.some(isGap)) {
      await this.#rewind();
      return;
    }
    for (const outcome of outcomes) {
      this.#answered.add(outcome.id);
      if (outcome.kind === "conflict") this.#tell("conflict", outcome.operation);
      if (outcome.kind === "refused") this.#tell("refused", outcome);
    }
    await this.#copy.settle(outcomes.map((outcome) => {
      const refusal = this.#unreadable.get(outcome.id);
      // The refusal of the operation in its place means nothing to a person.
      return refusal ? { ...outcome, refusal, texts: undefined, mayResend: true }
        : { ...outcome, mayResend: passing.has(outcome.refusalReason) };
    }));
    for (const { id } of outcomes) this.#unreadable.delete(id);
    this.isBehind = true;
    this.#hasSentAgain = false;
    // Everything was answered, so a further gap means another backup.
    if (this.#unsent.length === 0) this.#hasRewound = false;
  }

  async #take(page) {
    const copy = this.#copy;
    const newest = copy.operations.at(-1);
    // Not everyone gets all operations of an ended shift. One that was recorded once more, after a
    // backup was restored, has another time.
    const isSame = (key) => page.operations[0]?.[key] === newest[key];
    if (newest && page.ended === 0 && !["id", "sequence", "time"].every(isSame)) {
      await this.#rewind();
      return;
    }
    const before = copy.head;
    this.#mustLookFirst = false;
    await copy.take(page);
    // After a backup was restored this copy may be ahead; then there is nothing more to fetch.
    this.isBehind = copy.head < page.head && copy.head > before;
  }
}
