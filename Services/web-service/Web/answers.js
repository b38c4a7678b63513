// The answers that tasks ask for: judged, read from what was typed, and put in words, as the service
// does.

/** True when an answer to a task can mean that it is not ok. */
export const canFail = (rule) => rule.least !== undefined || rule.most !== undefined
  || rule.choices.some(({ notOk }) => notOk);

/** True when an answer means that the task is not ok: a number outside the limits, or a choice that
 *  says so. */
export function fails(rule, { value }) {
  if (value.number !== undefined) {
    return value.number < (rule.least ?? -Infinity) || value.number > (rule.most ?? Infinity);
  }
  return rule.choices.some(({ text, notOk }) => notOk && text === value.choice);
}

/** Reads an answer that was typed; null if it is empty, or isn't a number where one is asked for. */
export function read(rule, typed) {
  const text = typed.trim();
  if (text === "") return null;
  if (rule.kind !== "number") return { value: { [rule.kind]: text } };
  const parts = /^([-−]?)(\d{1,10})(?:[.,](\d{1,3}))?$/.exec(text);
  if (!parts) return null;
  const number = Number(parts[2]) * 1000 + Number((parts[3] ?? "").padEnd(3, "0"));
  return { value: { number: parts[1] && number ? -number : number } };
}

/** A number of thousandths as people read it: `4.2`. */
export function thousandths(number, separator = ".") {
  const rest = String(Math.abs(number) % 1000).padStart(3, "0").replace(/0+$/, "");
  const whole = `${number < 0 ? "-" : ""}${Math.floor(Math.abs(number) / 1000)}`;
  return rest === "" ? whole : whole + separator + rest;
}

/** The photos that an operation of this device names. */
export const photosOf = ({ change }) =>
  change?.mark?.answer?.value.photos?.photos ?? change?.addTodo?.photos ?? [];

/** A photo as people read it, by the beginning of its SHA-256: `photo 9f86d081884c`. */
const photoName = ({ checksum }) => `photo ${checksum.slice(0, 12)}`;

/** An answer as people read it: `4.2 °C`. */
export function told(rule, { value }, separator = ".") {
  if (value.photos) return value.photos.photos.map(photoName).join(", ");
  if (value.number === undefined) return value.choice ?? value.text ?? value.signature ?? "";
  return [thousandths(value.number, separator), rule?.unit].filter(Boolean).join(" ");
}
