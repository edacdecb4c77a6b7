/**
 * Tests processes of the current and the previous version on the same documents. Requires the git history of this repository and
 * npm.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOut } from "./check-out.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { places } from "./mixed-world.ts";
import { runSideBySide } from "./side-by-side.ts";

for (const place of places)
  test(`${place}: an upgrade and its rollback under load, with processes killed: operations succeed, no finished step runs twice, no field is lost`, {
    timeout: 900_000,
  }, async () => {
    const signal = AbortSignal.timeout(900_000);
    const latest = earlierVersions.at(-1);
    assert.ok(latest);
    const earlier = await checkOut(latest, signal);
    const size = { clusters: 3, rounds: 1, killEveryMs: 5_000 };
    const { operations, kills } = await runSideBySide({
      ...{ place, earlier, ...size, report: () => undefined, signal },
    });
    assert.ok(operations > 0 && kills > 0);
  });
