// Tests of Services/web-service/Web/steward.css: in each look, text has a contrast of 4.5:1 against
// every background that it is on, and the edges of fields one of 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(
  new URL("../../Services/web-service/Web/steward.css", import.meta.url), "utf8");

/** The custom properties of each block that sets colours, by its selector. */
function looks() {
  const found = new Map();
  for (const [, selector, body] of css.matchAll(/(:root[^{,]*)\{([^}]*--paper[^}]*)\}/g)) {
    const colours = Object.fromEntries(
      [...body.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
    found.set(`${selector.trim()} ${found.size}`, colours);
  }
  return found;
}

/** Relative luminance, WCAG 2.2. */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const texts = [
  ...["ink", "soft", "accent", "accent-over", "late", "soon", "fine", "note"].flatMap(
    (text) => [[text, "paper"], [text, "card"]]),
  ["on-accent", "accent"], ["on-accent", "accent-over"],
  ["late", "late-back"], ["soon", "soon-back"], ["fine", "fine-back"], ["note", "note-back"],
  ["ink", "late-back"], ["soft", "late-back"], ["ink", "soon-back"],
  // On filled backgrounds: the button for ok, a late travel path, the line of a board without
  // contact.
  ["card", "fine"], ["card", "late"], ["paper", "late"], ["paper", "soon"],
];

test("the contrast of known colours is that of the standard", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.ok(Math.abs(contrast("#767676", "#ffffff") - 4.54) < 0.01);
});

test("text and edges have enough contrast in every look", () => {
  const all = looks();
  assert.equal(all.size, 7);
  for (const [name, colours] of all) {
    for (const [text, ground] of texts) {
      const ratio = contrast(colours[text], colours[ground]);
      assert.ok(ratio >= 4.5, `${name}: ${text} on ${ground} is ${ratio.toFixed(2)}`);
    }
    for (const ground of ["paper", "card"]) {
      const ratio = contrast(colours.line, colours[ground]);
      assert.ok(ratio >= 3, `${name}: line on ${ground} is ${ratio.toFixed(2)}`);
    }
  }
});
