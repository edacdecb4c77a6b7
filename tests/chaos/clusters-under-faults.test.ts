import assert from "node:assert/strict";
import { test } from "node:test";
import { surviveFaultsOfAzure } from "./clusters-under-faults.ts";

test("one cluster is created, updated and deleted while a tenth of Azure's responses fail and the service is killed: operations succeed, Azure holds exactly the expected resources", async () => {
  const result = await surviveFaultsOfAzure({
    clusters: 1,
    maxKills: 1,
    killEveryMs: 2_000,
    seed: 1,
    report: () => undefined,
    signal: AbortSignal.timeout(900_000),
  });
  assert.ok(result.kills > 0 && result.injected > 0, JSON.stringify(result));
});
