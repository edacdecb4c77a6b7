import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { IdleRun } from "./idle-run.ts";

const start = new Date("2026-01-01T00:00:00Z");
const followed = {
  follow: true,
  since: undefined,
  timestamps: false,
  tailLines: undefined,
  stream: undefined,
} as const;

test("an idle container runs until it is stopped, and then completes", async () => {
  const run = new IdleRun(start, new ManualClock(start));
  const { over, log } = run;
  assert.equal(run.startedAt, start);
  assert.equal(over.aborted, false);
  run.stop();
  run.stop();
  assert.deepEqual(await run.ended, { exitCode: 0, reason: "Completed" });
  assert.equal(over.aborted, true);
  const lines = log.read(followed, new AbortController().signal);
  assert.equal((await lines.next()).done, true);
});

test("the log and the signal of a stopped container are closed when they are first read", async () => {
  const run = new IdleRun(start, new ManualClock(start));
  run.stop();
  assert.equal(run.over.aborted, true);
  const lines = run.log.read(followed, new AbortController().signal);
  assert.equal((await lines.next()).done, true);
});
