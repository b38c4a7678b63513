// Photos of answers and to-dos: made as small as the service keeps them, with nothing in the file but
// what is seen, and named by the SHA-256 of the file.

/** The most bytes of a file that is read, and of a photo that is kept. */
const mostRead = 20 << 20;
const mostKept = 512 << 10;
/** The most pixels that are decoded. */
const mostPixels = 50_000_000;
/** The longest longer side of a photo in pixels, and the shortest to which one is reduced. */
const longest = 1600;
const shortest = 64;

/** Why a file can't be used as a photo: `kind` is the key of a phrase. */
export class Unusable extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/** JFIF 1.01 without a thumbnail. */
const jfif = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];

/** Where the coded pixels that begin at an index end; -1 if there is anything but one scan. */
function endOfScan(bytes, from) {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0) return bytes[at + 1] === 0xd9 ? at + 2 : -1;
  }
  return -1;
}

/**
 * A JPEG (ITU-T T.81) without what browsers add to its pixels: profiles, comments, and what follows
 * its end.
 *
 * @returns null if it isn't coded as the service keeps photos: eight bits, three colours, one scan.
 */
export function bare(bytes) {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const parts = [Uint8Array.from(jfif)];
  let frames = 0;
  for (let at = 2; at + 4 <= bytes.length;) {
    const [marker, length] = [bytes[at + 1], bytes[at + 2] * 256 + bytes[at + 3]];
    const end = at + 2 + length;
    if (bytes[at] !== 0xff || length < 2 || end > bytes.length) return null;
    const isNeeded = [0xc0, 0xc4, 0xdb, 0xda].includes(marker);
    // Otherwise the colours could have another meaning.
    const isAdobe = marker === 0xee && bytes[at + 4] === 0x41 && bytes[end - 1] !== 1;
    if (isAdobe || (!isNeeded && marker !== 0xfe && (marker & 0xf0) !== 0xe0)) return null;
    if (isNeeded) parts.push(bytes.subarray(at, end));
    if (marker === 0xc0) {
      frames += 1;
      if (length !== 17 || bytes[at + 4] !== 8 || bytes[at + 9] !== 3) return null;
    }
    if (marker === 0xda) {
      const over = endOfScan(bytes, end);
      if (over < 0 || frames !== 1) return null;
      parts.push(bytes.subarray(end, over));
      const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let place = 0;
      for (const part of parts) {
        whole.set(part, place);
        place += part.length;
      }
      return whole;
    }
    at = end;
  }
  return null;
}

const digits = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A photo as an operation names it, with its file. */
export async function named(file, width, height) {
  const checksum = digits(await crypto.subtle.digest("SHA-256", file));
  return { photo: { checksum, size: file.length, width, height }, file };
}

/** Draws a picture, no longer than this on its longer side, and encodes it; null if this browser
 *  can't. */
async function encoded(image, side) {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  // What is transparent in a picture would become black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", 0.85); });
  const { width, height } = canvas;
  // Some browsers on phones free the memory only then.
  canvas.width = canvas.height = 0;
  const file = blob && bare(new Uint8Array(await blob.arrayBuffer()));
  return file && { file, width, height };
}

/**
 * Prepares a photo from a file that a person has chosen: upright, not too large, and without place,
 * time and device.
 *
 * @returns what an operation says about it, and its file. Throws `Unusable`.
 */
export async function prepare(blob) {
  if (blob.size > mostRead) throw new Unusable("photoTooLarge");
  let image;
  try {
    // Turned the way the camera was held.
    image = await createImageBitmap(blob);
  } catch {
    throw new Unusable("photoWrong");
  }
  try {
    if (image.width * image.height > mostPixels) throw new Unusable("photoTooLarge");
    for (let side = longest; side >= shortest; side = Math.floor(side * 3 / 4)) {
      const made = await encoded(image, side);
      if (!made) throw new Unusable("photoWrong");
      if (made.file.length <= mostKept) return await named(made.file, made.width, made.height);
    }
    throw new Unusable("photoTooLarge");
  } finally {
    image.close();
  }
}
