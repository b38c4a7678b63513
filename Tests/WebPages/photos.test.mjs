// What is left of a picture that a browser has encoded: nothing but what is needed to see it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { bare, named } from "../../Services/web-service/Web/photos.js";
import { failures, makePage } from "./page.mjs";

globalThis.words = new Proxy({}, { get: (_, name) => String(name) });

const segment = (marker, ...content) => [0xff, marker, 0, content.length + 2, ...content];
const text = (words) => [...words].map((it) => it.charCodeAt(0));
const table = segment(0xdb, 0, ...new Array(64).fill(1));
const codes = segment(0xc4, 0, ...new Array(16).fill(0));
const frame = segment(0xc0, 8, 0, 2, 0, 3, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0);
const scan = [...segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0), 0x12, 0xff, 0x00, 0x34];
const start = [0xff, 0xd8];
const end = [0xff, 0xd9];
const jfif = segment(0xe0, ...text("JFIF"), 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);
const wanted = [...start, ...jfif, ...table, ...codes, ...frame, ...scan, ...end];
const left = (...parts) => {
  const found = bare(Uint8Array.from(parts.flat(Infinity)));
  return found && [...found];
};

test("profiles, comments, places and what follows the end are left out", () => {
  assert.deepEqual(left(start, jfif, table, codes, frame, scan, end), wanted);
  const more = [
    segment(0xe1, ...text("Exif"), 0, 0, 1, 2, 3), segment(0xe2, ...text("ICC_PROFILE"), 0, 1, 1),
    segment(0xfe, ...text("made by a browser")), segment(0xee, ...text("Adobe"), 0, 100, 0, 0, 0, 0, 1),
  ];
  assert.deepEqual(left(start, more, table, codes, more, frame, scan, end, 1, 2, 3), wanted);
});

test("a picture that is coded in another way is refused", () => {
  const grey = segment(0xc0, 8, 0, 2, 0, 3, 1, 1, 0x11, 0);
  const progressive = [0xff, 0xc2, ...frame.slice(2)];
  const plain = segment(0xee, ...text("Adobe"), 0, 100, 0, 0, 0, 0, 0);
  const cases = {
    empty: [], text: text("<svg>"), "no pixels": [start, table, codes, frame, end],
    "no end": [start, table, codes, frame, scan], "no frame": [start, table, codes, scan, end],
    "two frames": [start, frame, frame, scan, end], grey: [start, table, codes, grey, scan, end],
    progressive: [start, table, codes, progressive, scan, end],
    restarts: [start, table, segment(0xdd, 0, 4), codes, frame, scan, end],
    "two scans": [start, table, codes, frame, scan, scan, end],
    "other colours": [start, plain, table, codes, frame, scan, end],
    "a length beyond the file": [start, [0xff, 0xdb, 0xff, 0xff, 0]],
  };
  for (const [name, parts] of Object.entries(cases)) assert.equal(left(parts), null, name);
});

test("a truncated picture is refused, and no changed byte makes one longer", () => {
  const whole = Uint8Array.from(wanted);
  for (let length = 0; length < whole.length; length += 1) {
    assert.equal(bare(whole.subarray(0, length)), null, `${length}`);
  }
  for (let at = 0; at < whole.length; at += 1) {
    for (const byte of [0, 1, 0x7f, 0xd9, 0xda, 0xff]) {
      const other = whole.slice();
      other[at] = byte;
      const found = bare(other);
      assert.ok(found === null || found.length <= whole.length, `${at} ${byte}`);
    }
  }
});

test("a photo is named by the SHA-256 of its file", async () => {
  const file = Uint8Array.from(wanted);
  const { photo } = await named(file, 3, 2);
  assert.deepEqual(photo, {
    checksum: createHash("sha256").update(file).digest("hex"), size: file.length, width: 3, height: 2,
  });
});

test("whoever takes a photo is told if the script for it can't be loaded, until it can be", async () => {
  globalThis.document = makePage([]);
  const folder = mkdtempSync(join(tmpdir(), "album-"));
  // It fails as long as the page is open at the address at which it has failed.
  writeFileSync(join(folder, "photos.js"), "throw new TypeError('no answer');");
  try {
    for (const name of ["album.js", "live.js"]) {
      copyFileSync(new URL(`../../Services/web-service/Web/${name}`, import.meta.url), join(folder, name));
    }
    const { Album } = await import(join(folder, "album.js"));
    const said = [];
    const take = (it) => said.push(it);
    const album = new Album("shift", {});
    const press = async () => {
      const before = said.length;
      album.button("", "takePhoto", take, take).click();
      const camera = document.body.querySelector("input");
      camera.files = [{}];
      camera.dispatchEvent(new Event("change"));
      for (let turn = 0; turn < 12_000 && said.length === before && failures.length === 0; turn += 1) {
        await new Promise((resolve) => { setTimeout(resolve, 5); });
      }
    };
    await press();
    assert.deepEqual([said, failures], [["noContact"], []]);
    writeFileSync(join(folder, "photos.js"), "export const prepare = async () => 'made';");
    await press();
    assert.deepEqual([said, failures], [["noContact", "made"], []]);
    // Once it is loaded, it needs no network.
    rmSync(join(folder, "photos.js"));
    await press();
    assert.deepEqual([said, failures], [["noContact", "made", "made"], []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the pictures of a shift take no memory once another is shown", async () => {
  globalThis.document = makePage([]);
  const { Album } = await import("../../Services/web-service/Web/album.js");
  const { createObjectURL, revokeObjectURL } = URL;
  const held = new Set();
  URL.createObjectURL = (blob) => {
    const address = createObjectURL(blob);
    held.add(address);
    return address;
  };
  URL.revokeObjectURL = (address) => {
    held.delete(address);
    revokeObjectURL(address);
  };
  const photo = (checksum) => ({ checksum, width: 64, height: 64 });
  const album = new Album("shift", { read: async (name) => (name === "b" ? Uint8Array.of(1) : null) });
  album.row([photo("a"), photo("b"), photo("c")], "", null, [{ photo: photo("a"), file: Uint8Array.of(2) }]);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  assert.equal(held.size, 2);
  album.close();
  Object.assign(URL, { createObjectURL, revokeObjectURL });
  assert.equal(held.size, 0);
});
