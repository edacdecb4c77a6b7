import assert from "node:assert/strict";
import { test } from "node:test";
import { surviveKills } from "./everything-killed.ts";

test("`keelson up` is killed 8 times during installations: every cluster ends Succeeded and no finished step runs twice", async () => {
  const installed = await surviveKills({
    kills: 8,
    report: () => undefined,
    signal: AbortSignal.timeout(900_000),
  });
  assert.ok(installed > 0);
});
