/** `keelson deploy` of this version in the place of the one before it, under load. It needs the history of this repository, and npm. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOut } from "./check-out.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { runRollingDeploys } from "./rolling-deploy.ts";

test("a region takes a new version, and goes back, under load: no request fails, with processes killed none that is repeated; operations end well, no finished step runs twice", {
  timeout: 600_000,
}, async () => {
  const signal = AbortSignal.timeout(580_000);
  const latest = earlierVersions.at(-1);
  assert.ok(latest);
  const earlier = await checkOut(latest, signal);
  const size = { clusters: 3, machines: 2, rounds: 1, killEveryMs: 8_000 };
  const { operations, kills, reads } = await runRollingDeploys({
    ...{ earlier, ...size, report: () => undefined, signal },
  });
  assert.ok(operations > 0 && kills > 0 && reads > 0);
});
