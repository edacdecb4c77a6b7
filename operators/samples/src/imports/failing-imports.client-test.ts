/** Uses Debian's promtool to evaluate the alerts for a day of failing imports. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type RuleGroups, testAlerts } from "@keelson/operator-kit/testing";
import { samplesAlerts } from "../status/alert-rules.ts";
import { assertRetries, failingImports } from "../testing/failing-imports.ts";
import { samplesWorlds } from "../testing/samples-world.ts";

const missing = "SamplesMissingTBRCredential";

test("a hundred imagestreams fail for a day: requests are bounded, one alert fires and resolves", async () => {
  const [embedded] = samplesWorlds;
  assert.ok(embedded);
  await using world = await embedded.start();
  const failing = 24 * 60;
  const failed = await failingImports(world, { streams: 100, failing, after: 90 });
  // With 100 streams and a retry period of 15 minutes, the average is seven retries per minute.
  assertRetries(failed, { streams: 100, failing, most: 30 });
  assert.equal(Object.keys(failed.reported).length, 100);
  assert.equal(failed.writes, 0);
  assert.deepEqual(failed.left, {});
  await testAlerts({
    rules: samplesAlerts.spec as RuleGroups,
    interval: "1m",
    series: failed.series,
    firing: [
      { at: "1h50m", alerts: [] },
      { at: "2h30m", alerts: ["SamplesImagestreamImportFailing", missing] },
      { at: "12h", alerts: ["SamplesImagestreamImportFailing", missing] },
      { at: "23h59m", alerts: ["SamplesImagestreamImportFailing", missing] },
      { at: "25h", alerts: [missing] },
    ],
  });
});
