import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterHealthDocument, HealthSummary } from "@keelson/model";
import { clusterHealthSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { healthView } from "./health-view.ts";

const none = { count: 0, names: [] };
const summary: HealthSummary = {
  apiServer: 200,
  unavailableOperators: none,
  degradedOperators: { count: 2, names: ["dns", "ingress"] },
  notReadyNodes: none,
  nodes: 6,
  criticalAlerts: none,
  warningAlerts: { count: 1, names: ["KubePodCrashLooping"] },
  certificateDays: 12,
};
const observedAt = "2026-01-01T01:00:00.000Z";
const document: ClusterHealthDocument = {
  id: "1",
  partitionKey: "subscription",
  clusterKey: "key",
  observedAt,
  summary,
  changes: [{ state: "Degraded", reason: "OperatorsDegraded", since: "2026-01-01T00:30:00.000Z" }],
};
const createdAt = "2026-01-01T00:00:00Z";
const at = (time: string) => new Date(`2026-01-01T${time}Z`);

test("a recent observation is shown with its problems only", () => {
  const view = healthView(document, at("01:05:00"), createdAt);
  assert.deepEqual(view, {
    state: "Degraded",
    reason: "OperatorsDegraded",
    since: "2026-01-01T00:30:00.000Z",
    observedAt,
    staleAt: "2026-01-01T01:30:00.000Z",
    apiServer: 200,
    nodes: 6,
    certificateDays: 12,
    problems: [
      { kind: "DegradedOperators", count: 2, names: ["dns", "ingress"] },
      { kind: "WarningAlerts", count: 1, names: ["KubePodCrashLooping"] },
    ],
  });
  assert.ok(Value.Check(clusterHealthSchema, view));
});

test("an observation of a newer monitor is shown without the fields that this portal does not know", () => {
  const newer = { ...document, summary: { ...summary, later: { count: 1, names: ["a"] } } };
  assert.deepEqual(
    healthView(newer, at("01:05:00"), createdAt),
    healthView(document, at("01:05:00"), createdAt),
  );
});

test("health is unknown half an hour after the last observation, and before the first one", () => {
  const { state, reason, since } = healthView(document, at("01:30:01"), createdAt);
  assert.deepEqual([state, reason, since], ["Unknown", "ObservationTooOld", "2026-01-01T01:30:00.000Z"]);
  assert.deepEqual(healthView(undefined, at("02:00:00"), createdAt), {
    state: "Unknown",
    reason: "NotObserved",
    since: "2026-01-01T00:00:00.000Z",
    problems: [],
  });
  assert.equal(healthView(undefined, at("02:00:00"), "Unknown").since, undefined);
});
