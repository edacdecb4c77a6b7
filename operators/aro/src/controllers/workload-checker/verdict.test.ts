import assert from "node:assert/strict";
import { test } from "node:test";
import type { Workload } from "./platform-workloads.ts";
import { graceMs, verdictOf } from "./verdict.ts";

const nowMs = Date.parse("2026-01-01T12:00:00Z");
const at = (ageMs: number) => new Date(nowMs - ageMs).toISOString();
const pod = (name: string, fault?: Workload["fault"]): Workload => ({
  kind: "Pod",
  namespace: "openshift-dns",
  name,
  ...(fault ? { fault } : {}),
});

test("without faults all are ready", () => {
  const { condition, nextMs } = verdictOf([pod("a")], nowMs, new Map());
  assert.deepEqual(
    [condition.status, condition.message, nextMs],
    ["True", "All platform workloads are ready", undefined],
  );
  assert.equal(verdictOf([], nowMs, new Map()).condition.status, "True");
});

test("a fault counts after its minimum duration, and the next check is scheduled", () => {
  const workloads = [
    pod("a", { message: "not ready", since: at(graceMs) }),
    pod("b", { message: "not ready", since: at(graceMs - 1_000) }),
    pod("c", { message: "not ready", since: at(1_000) }),
  ];
  const { condition, nextMs } = verdictOf(workloads, nowMs, new Map());
  assert.equal(condition.status, "False");
  assert.equal(condition.message, "Pod openshift-dns/a: not ready");
  assert.equal(nextMs, 1_000);
});

test("a fault without a start time counts from its first observation", () => {
  const firstSeen = new Map<string, number>();
  const workloads = [pod("a", { message: "1 of 3 pods available" })];
  assert.equal(verdictOf(workloads, nowMs, firstSeen).nextMs, graceMs);
  assert.equal(verdictOf(workloads, nowMs + graceMs, firstSeen).condition.status, "False");
  assert.equal(verdictOf([pod("a")], nowMs + graceMs, firstSeen).condition.status, "True");
  assert.equal(
    verdictOf(workloads, nowMs + graceMs, firstSeen).condition.status,
    "True",
    "a new fault is given time",
  );
});

test("a time that is ahead, or none, does not put a fault off for ever", () => {
  for (const since of [at(-86_400_000), "yesterday"]) {
    const firstSeen = new Map<string, number>();
    const workloads = [pod("a", { message: "not ready", since })];
    verdictOf(workloads, nowMs, firstSeen);
    assert.equal(verdictOf(workloads, nowMs + graceMs, firstSeen).condition.status, "False");
  }
});

test("of many the first are named, in a bounded message", () => {
  const many = Array.from({ length: 500 }, (_, index) =>
    pod(`pod-${index}`.padEnd(200, "x"), { message: "not ready", since: at(graceMs) }),
  );
  const { condition } = verdictOf(many, nowMs, new Map());
  assert.ok((condition.message?.length ?? 0) <= 1_024);
  const few = many.slice(0, 12).map((each, index) => ({ ...each, name: `pod-${index}` }));
  const lines = verdictOf(few, nowMs, new Map()).condition.message?.split("\n") ?? [];
  assert.equal(lines.length, 11);
  assert.equal(lines.at(-1), "and 2 more");
});
