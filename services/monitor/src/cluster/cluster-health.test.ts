import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultTimeoutMs } from "@keelson/kube";
import { apiServerHealth, apiServerPing } from "./cluster-health.ts";
import { defaultLimitMs } from "./collector.ts";

test("a request to an API server that hangs ends before its collector, so that the collector reports the code 0", () => {
  for (const { name, limitMs = defaultLimitMs } of [apiServerHealth, apiServerPing])
    assert.ok(limitMs >= defaultTimeoutMs + 5_000, name);
});
