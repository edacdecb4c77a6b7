import assert from "node:assert/strict";
import { test } from "node:test";
import { surviveFaultsOfAzure } from "./clusters-under-faults.ts";

test("clusters live and go while a tenth of Azure's answers is bad and the service is killed: all ends well, nothing is left or missing", async () => {
  const result = await surviveFaultsOfAzure({
    clusters: 2,
    killEveryMs: 5_000,
    seed: 1,
    report: () => undefined,
    signal: AbortSignal.timeout(420_000),
  });
  assert.ok(result.kills > 0 && result.injected > 0, JSON.stringify(result));
});
