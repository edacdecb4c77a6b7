import assert from "node:assert/strict";
import { test } from "node:test";
import { cpusIn } from "./cpu-set.ts";

for (const [list, count] of [
  ["0", 1],
  ["0-3", 4],
  ["0-1,8", 3],
  ["0-3,2-5", 6],
  [" 0,32-33 ", 3],
  ["", 0],
] as const)
  test(`the list of CPUs ${JSON.stringify(list)} names ${count}`, () => assert.equal(cpusIn(list), count));

for (const list of ["3-1", "a", "0-", "0,,1", "0-99999", "-1"])
  test(`${JSON.stringify(list)} is not a list of CPUs`, () =>
    assert.throws(() => cpusIn(list), /not a CPU or range of CPUs such as 0-3/));
