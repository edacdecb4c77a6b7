import assert from "node:assert/strict";
import { test } from "node:test";
import { planJob } from "./plan.ts";

const now = new Date("2026-01-01T00:00:09Z");
const startTime = "2026-01-01T00:00:00Z";
const job = (spec: object, status: object = {}) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "j" },
  spec,
  status: { startTime, ...status },
});
const pod = (phase: string, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", ...metadata },
  status: { phase },
});

test("deleted pods of a job remain counted", () => {
  const before = job({ completions: 3, parallelism: 1 }, { succeeded: 2, failed: 1 });
  const { status } = planJob(before, [pod("Succeeded")], now);
  assert.deepEqual([status.succeeded, status.failed], [2, 1]);
});

test("a completed job has no pods left to delete", () => {
  const going = pod("Running", { deletionTimestamp: startTime });
  const { status, finished } = planJob(job({ completions: 1 }), [pod("Succeeded"), going], now);
  assert.deepEqual([finished, status.terminating, status.ready], ["Complete", 0, 0]);
});

test("pods of a huge job are created in parts", () => {
  const huge = { completions: 2_000_000_000, parallelism: 2_000_000_000 };
  assert.equal(planJob(job(huge), [], now).create.length, 500);
  const indexed = planJob(job({ ...huge, completionMode: "Indexed" }), [], now).create;
  assert.deepEqual([indexed.length, indexed.at(-1)], [500, 499]);
});
