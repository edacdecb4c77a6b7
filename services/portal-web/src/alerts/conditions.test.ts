import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterHealth } from "@keelson/portal-api";
import { codeSpans } from "./code-spans.ts";
import { conditionsOf } from "./conditions.ts";
import { fleetAlerts } from "./fleet-alerts.ts";
import { runbooks } from "./runbooks.ts";
import { silenceCommand } from "./silence.ts";

const health: ClusterHealth = {
  state: "Unavailable",
  reason: "ApiServerUnhealthy",
  certificateDays: -2,
  problems: [
    { kind: "WarningAlerts", count: 9, names: ["A", "B"] },
    { kind: "UnavailableOperators", count: 1, names: ["dns"] },
    { kind: "DegradedOperators", count: 1, names: ["ingress"] },
    { kind: "NotReadyNodes", count: 2, names: ["demo-x7k2p-master-0", "demo-x7k2p-worker-1"] },
    { kind: "CriticalAlerts", count: 1, names: ["KubeAPIDown"] },
  ],
};

test("every condition has a runbook, and critical ones come first", () => {
  const conditions = conditionsOf(health);
  assert.deepEqual(
    conditions.map(({ name, severity }) => `${severity} ${name}`),
    [
      "critical KeelsonApiServerUnhealthy",
      "critical KeelsonClusterOperatorUnavailable",
      "critical KeelsonMasterNotReady",
      "critical KubeAPIDown",
      "critical KeelsonCertificateExpired",
      "warning A",
      "warning B",
      "warning (further alerts)",
      "warning KeelsonClusterOperatorDegraded",
    ],
  );
  for (const { runbook } of conditions) assert.ok(runbooks.has(runbook), runbook);
  const workers: ClusterHealth = {
    ...health,
    reason: "ApiServerNotResponding",
    certificateDays: 3,
    problems: [{ kind: "NotReadyNodes", count: 1, names: ["demo-x7k2p-worker-1"] }],
  };
  for (const { runbook } of conditionsOf(workers)) assert.ok(runbooks.has(runbook), runbook);
  assert.deepEqual(conditionsOf({ ...health, state: "Unknown" }), []);
});

test("alerts of the fleet are counted by name with their clusters", () => {
  const clusters = [
    { name: "one", health },
    {
      name: "two",
      health: {
        ...health,
        problems: [{ kind: "CriticalAlerts" as const, count: 1, names: ["KubeAPIDown"] }],
      },
    },
    { name: "three" },
  ];
  const row = fleetAlerts(clusters, 0).find(({ name }) => name === "KubeAPIDown");
  assert.deepEqual(
    row?.clusters.map(({ cluster }) => cluster.name),
    ["one", "two"],
  );
});

test("a silence names the alert and the cluster, and no name of a cluster becomes a command", () => {
  const demo = { name: "Demo", resourceId: "/subscriptions/s/resourcegroups/a.(b)'/providers/p.q/c/demo" };
  assert.equal(
    silenceCommand({ name: "KubeAPIDown", source: "cluster" }, demo),
    `oc --kubeconfig Demo-elevated.kubeconfig -n openshift-monitoring exec -c alertmanager alertmanager-main-0 -- amtool silence add alertname=KubeAPIDown --duration=2h --author="$USER" --comment="reason" --alertmanager.url=http://localhost:9093`,
  );
  assert.match(
    silenceCommand({ name: "KeelsonMasterNotReady", source: "monitor" }, demo) ?? "",
    /^amtool silence add alertname=KeelsonMasterNotReady 'resourceId=~\(\?i\)\/subscriptions\/s\/resourcegroups\/a\.\.b\.\.\/providers\/p\.q\/c\/demo' --duration/,
  );
  for (const name of ["", "a;b", "$(x)", "a b", "`x`", "-x", "(further alerts)"])
    assert.equal(silenceCommand({ name, source: "cluster" }, demo), undefined, name);
});

test("code in a runbook is between backticks", () => {
  assert.deepEqual(codeSpans("See `GET resources` of [the admin API](admin-actions.md)."), [
    { text: "See ", isCode: false },
    { text: "GET resources", isCode: true },
    { text: " of the admin API.", isCode: false },
  ]);
});
