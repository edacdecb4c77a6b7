import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { InvalidArgumentError } from "commander";
import { parseProcessCount, processCount } from "./process-count.ts";

for (const text of ["0", "65", "-1", "1.5", "two", "", " 2"])
  test(`--processes ${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => parseProcessCount(text), InvalidArgumentError);
  });

test("auto is one process per core, and one for an embedded database", () => {
  assert.equal(parseProcessCount("auto"), "auto");
  assert.equal(processCount("auto", "postgres"), Math.min(64, availableParallelism()));
  assert.equal(processCount("auto", "embedded"), 1);
});

test("a number is taken as it is, but several processes cannot share an embedded database", () => {
  assert.equal(processCount(parseProcessCount("3"), "cosmos"), 3);
  assert.equal(processCount(1, "embedded"), 1);
  assert.equal(processCount(2, "embedded"), undefined);
});
