import assert from "node:assert/strict";
import { test } from "node:test";
import { apiServerHealth, apiServerPing } from "./cluster-health.ts";
import { defaultLimitMs } from "./collector.ts";

/** Default time limit of the Kubernetes client for a response, in ms. */
const responseLimitMs = 30_000;

test("a request to an API server that hangs ends before its collector, so that the collector reports the code 0", () => {
  assert.equal(defaultLimitMs, responseLimitMs);
  for (const { name, limitMs = defaultLimitMs } of [apiServerHealth, apiServerPing])
    assert.ok(limitMs >= responseLimitMs + 5_000, name);
});
