import assert from "node:assert/strict";
import { test } from "node:test";
import { RestartPolicy } from "./restart-policy.ts";

test("the delay of a restart doubles, and the fifth exit within ten minutes is the last", () => {
  const policy = new RestartPolicy();
  const delays = [0, 1_000, 2_000, 599_000].map((atMs) => policy.afterExit(atMs));
  assert.deepEqual(
    delays,
    [250, 500, 1_000, 2_000].map((delayMs) => ({ kind: "restart", delayMs })),
  );
  assert.deepEqual(policy.afterExit(599_999), { kind: "down", reason: "5 exits within 10 minutes" });
});

test("exits older than ten minutes do not count", () => {
  const policy = new RestartPolicy();
  for (let at = 0; at < 20; at++) assert.equal(policy.afterExit(at * 150_001).kind, "restart", `exit ${at}`);
});
