import assert from "node:assert/strict";
import { test } from "node:test";
import { surviveKills } from "./everything-killed.ts";

test("`keelson up` is killed during an installation: every cluster ends Succeeded and no finished step runs twice", async () => {
  const installed = await surviveKills({
    kills: 1,
    report: () => undefined,
    signal: AbortSignal.timeout(900_000),
  });
  assert.ok(installed > 0);
});
