import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterHealth } from "@keelson/portal-api";
import { healthAt, healthPhrases, healthRank, healthWord, problemNames } from "./health.ts";

const healthy: ClusterHealth = {
  state: "Available",
  reason: "Healthy",
  staleAt: "2026-01-01T00:30:00Z",
  apiServer: 200,
  nodes: 6,
  certificateDays: 80,
  problems: [],
};
const nowMs = Date.parse("2026-01-01T00:10:00Z");

test("a healthy cluster has nothing to report", () => {
  const health = healthAt({ health: healthy }, nowMs);
  assert.equal(healthWord(health), "Healthy");
  assert.deepEqual(healthPhrases(health), []);
});

test("problems are counted in words, with the certificate that expires soon", () => {
  const health: ClusterHealth = {
    ...healthy,
    state: "Degraded",
    reason: "NodesNotReady",
    certificateDays: 1,
    problems: [
      { kind: "NotReadyNodes", count: 1, names: ["worker-1"] },
      { kind: "WarningAlerts", count: 12, names: ["A", "B"] },
    ],
  };
  assert.deepEqual(healthPhrases(health), [
    "1 node not ready",
    "12 warning alerts",
    "certificate expires in 1 day",
  ]);
  assert.equal(problemNames({ count: 12, names: ["A", "B"] }), "A, B and 10 more");
  assert.deepEqual(healthPhrases({ ...healthy, certificateDays: -1 }), ["certificate expired"]);
});

test("an outdated or missing observation is unknown", () => {
  const late = healthAt({ health: healthy }, Date.parse("2026-01-01T00:31:00Z"));
  assert.equal(healthWord(late), "Unknown");
  assert.deepEqual(healthPhrases(late), ["not observed for 30 minutes"]);
  assert.deepEqual(healthPhrases(healthAt({}, nowMs)), ["not observed"]);
});

test("clusters that need attention come first", () => {
  const degraded: ClusterHealth = { ...healthy, state: "Degraded", reason: "OperatorsDegraded" };
  const alerting: ClusterHealth = {
    ...degraded,
    problems: [{ kind: "CriticalAlerts", count: 1, names: ["A"] }],
  };
  const unavailable: ClusterHealth = { ...healthy, state: "Unavailable", reason: "ApiServerNotResponding" };
  const order = [unavailable, alerting, degraded, healthAt({}, nowMs), healthy];
  assert.deepEqual(
    order.toReversed().sort((a, b) => healthRank(a) - healthRank(b)),
    order,
  );
});
