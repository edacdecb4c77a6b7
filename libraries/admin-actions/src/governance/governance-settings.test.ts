import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangeFreeze, freezeAt, mayChangeIn, noGovernance } from "./governance-settings.ts";

const freeze: ChangeFreeze = {
  from: "2026-12-20T00:00:00Z",
  until: "2027-01-04T00:00:00+01:00",
  reason: "end of the year",
  emergency: false,
};

for (const [at, isFrozen] of [
  ["2026-12-19T23:59:59.999Z", false],
  ["2026-12-20T00:00:00Z", true],
  ["2027-01-03T22:59:59Z", true],
  ["2027-01-03T23:00:00Z", false],
] as const)
  test(`${at} is ${isFrozen ? "in" : "outside"} the freeze`, () =>
    assert.equal(freezeAt({ freezes: [freeze] }, new Date(at)) !== undefined, isFrozen));

test("without settings there is no freeze", () =>
  assert.equal(freezeAt(noGovernance, new Date("2026-12-25T00:00:00Z")), undefined));

for (const [isElevated, reason, normal, emergency] of [
  [false, undefined, false, false],
  [false, "incident 7", false, false],
  [true, undefined, false, false],
  [true, "incident 7", false, true],
] as const)
  test(`${isElevated ? "elevated" : "other"} persons with the reason ${reason} in a freeze`, () => {
    const person = { isElevated, reason };
    assert.equal(mayChangeIn(undefined, person), true);
    assert.equal(mayChangeIn(freeze, person), normal);
    assert.equal(mayChangeIn({ ...freeze, emergency: true }, person), emergency);
  });
