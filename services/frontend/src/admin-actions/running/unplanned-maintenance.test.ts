import assert from "node:assert/strict";
import { test } from "node:test";
import { Metrics, type Sample } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { UnplannedMaintenance } from "./unplanned-maintenance.ts";

test("unplanned maintenance is reported every minute until it is over", async () => {
  const clock = new ManualClock();
  const metrics = new Metrics();
  const samples: Sample[] = [];
  metrics.listen((sample) => samples.push(sample));
  const maintenance = new UnplannedMaintenance(clock, metrics).begin("/clusters/demo");
  await clock.advance(150_000);
  assert.deepEqual(
    samples,
    Array.from({ length: 3 }, () => ({
      metric: "frontend.maintenance.unplanned",
      value: 1,
      dimensions: { resourceId: "/clusters/demo" },
    })),
  );
  assert.match((await metrics.expose()).body, /resourceId="\/clusters\/demo"\} 1/);
  maintenance[Symbol.dispose]();
  await clock.advance(150_000);
  assert.equal(samples.length, 3);
  assert.doesNotMatch((await metrics.expose()).body, /demo/);
});
