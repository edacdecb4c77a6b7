import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { CpuAllowance } from "./cpu-allowance.ts";

test("a cluster may spend its allowance each minute, and cools down for two minutes after more", async () => {
  const clock = new ManualClock(new Date());
  const allowance = new CpuAllowance(clock);
  for (let minute = 0; minute < 5; minute++) {
    assert.equal(allowance.spend(1_000, 1_000), true);
    await clock.advance(60_000);
  }
  assert.equal(allowance.spend(700, 1_000), true);
  await clock.advance(6_000);
  assert.equal(allowance.spend(500, 1_000), false);
  assert.equal(allowance.isCoolingDown, true);
  await clock.advance(119_999);
  assert.equal(allowance.isCoolingDown, true);
  await clock.advance(1);
  assert.equal(allowance.isCoolingDown, false);
  assert.equal(allowance.spend(900, 1_000), true);
});
