import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { OperatorsStatus } from "./operators-status.ts";

test("the operators' status counts restarts, and its time is that of the last start or exit", async () => {
  const clock = new ManualClock(new Date("2026-01-01T00:00:00Z"));
  const status = new OperatorsStatus(clock);
  const first = { process: 7, since: "2026-01-01T00:00:00.000Z", restarts: 0 };
  assert.deepEqual(status.after({ pid: 7, notRespondingSince: undefined }), first);
  const notRespondingSince = new Date("2026-01-01T00:00:10Z");
  await clock.advance(20_000);
  assert.deepEqual(status.after({ pid: 7, notRespondingSince }), {
    ...first,
    notRespondingSince: "2026-01-01T00:00:10.000Z",
  });
  assert.deepEqual(status.after({ pid: undefined, notRespondingSince: undefined }), {
    since: "2026-01-01T00:00:20.000Z",
    restarts: 0,
  });
  assert.deepEqual(status.after({ pid: 8, notRespondingSince: undefined }), {
    process: 8,
    since: "2026-01-01T00:00:20.000Z",
    restarts: 1,
  });
});
