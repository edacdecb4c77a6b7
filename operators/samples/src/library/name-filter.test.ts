import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesName } from "./name-filter.ts";

/** Pattern that needs exponential time for names like `slowName`. */
const slowPattern = "^(a+)+$";
const slowName = `${"a".repeat(60)}!`;

test("an expression that uses too much CPU time is aborted", () => {
  assert.throws(() => matchesName(slowPattern, slowName), { code: "LibraryUnreadable" });
});

test("a match that the machine delayed is repeated until it has used its CPU time", () => {
  const readings = [0, 10, 10, 30, 30, 130];
  const cpuMs = () => readings.shift() ?? assert.fail("more attempts than CPU time allows");
  assert.throws(() => matchesName(slowPattern, slowName, cpuMs), { code: "LibraryUnreadable" });
  assert.deepEqual(readings, []);
});
