import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { untilSharedTick } from "./shared-ticks.ts";

test("waits end at the next shared tick", () => {
  assert.equal(untilSharedTick(30_000, 3_000, 1_000), 32_000);
  assert.equal(untilSharedTick(30_000, 3_000, 3_000), 30_000);
  assert.equal(untilSharedTick(30_000, 3_000, 2_999.5), 30_000.5);
});

test("a wait is lengthened by less than one tick and never shortened", () => {
  const waits = fc.double({ min: 0, max: 1e7, noNaN: true });
  const ticks = fc.integer({ min: 10, max: 60_000 });
  fc.assert(
    fc.property(waits, ticks, waits, (waitMs, tickMs, nowMs) => {
      const longerMs = untilSharedTick(waitMs, tickMs, nowMs);
      assert.ok(longerMs >= waitMs && longerMs - waitMs < tickMs);
      const pastTickMs = (nowMs + longerMs) % tickMs;
      assert.ok(Math.min(pastTickMs, tickMs - pastTickMs) < 1.001);
    }),
  );
});
