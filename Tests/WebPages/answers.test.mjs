// Tests of Services/web-service/Web/answers.js: the same rules as AnswerRules.swift.
import assert from "node:assert/strict";
import { test } from "node:test";
import { canFail, fails, read, told } from "../../Services/web-service/Web/answers.js";

const number = { kind: "number", unit: "°C", least: 0, most: 5000, choices: [] };
const choice = {
  kind: "choice", unit: "", choices: [{ text: "golden", notOk: false }, { text: "black", notOk: true }],
};

test("a number is read with a comma or a point and at most three decimals", () => {
  const cases = [
    ["4.2", 4200], [" 4,25 ", 4250], ["-18", -18000], ["−1.5", -1500], ["0", 0], ["-0", 0],
    ["9999999999.999", 9999999999999], ["12345678901", null], ["4.2345", null], ["", null],
    ["1e3", null], ["4 °C", null], ["--1", null], ["NaN", null],
  ];
  for (const [typed, wanted] of cases) {
    assert.deepEqual(read(number, typed), wanted === null ? null : { value: { number: wanted } }, typed);
  }
});

test("a number outside its limits and a choice that says so are not ok, the limits are ok", () => {
  for (const [value, wanted] of [[-1, true], [0, false], [5000, false], [5001, true]]) {
    assert.equal(fails(number, { value: { number: value } }), wanted);
  }
  assert.equal(fails(choice, { value: { choice: "black" } }), true);
  assert.equal(fails(choice, { value: { choice: "golden" } }), false);
  assert.equal(canFail(number) && canFail(choice), true);
  assert.equal(canFail({ kind: "text", unit: "", choices: [] }), false);
});

test("an answer is shown with its unit and the separator of the language", () => {
  assert.equal(told(number, { value: { number: 4200 } }), "4.2 °C");
  assert.equal(told(number, { value: { number: -18000 } }, ","), "-18 °C");
  assert.equal(told(number, { value: { number: -250 } }, ","), "-0,25 °C");
  const photos = { photos: [{ checksum: "9f86d081884c7d65" }, { checksum: "0123456789abcdef" }] };
  assert.equal(
    told({ unit: "" }, { value: { photos } }), "photo 9f86d081884c, photo 0123456789ab");
  assert.equal(told({ unit: "" }, read({ kind: "signature" }, " Ann ")), "Ann");
});
