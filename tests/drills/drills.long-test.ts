import assert from "node:assert/strict";
import { test } from "node:test";
import { rehearsals } from "./rehearsals.ts";
import { runDrills } from "./run-drills.ts";

test("the alert of each drill fires, and keelson doctor reports the faults that it checks", {
  timeout: 3_600_000,
}, async (context) => {
  const results = await runDrills({
    report: (line) => context.diagnostic(line),
    signal: AbortSignal.timeout(3_600_000),
  });
  assert.equal(results.length, rehearsals.length);
});
