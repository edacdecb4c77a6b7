import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HealthSamples } from "./health-samples.ts";

type Figure = readonly [metric: string, value: number, dimensions: Readonly<Record<string, string>>];

function summaryOf(figures: readonly Figure[]) {
  const samples = new HealthSamples();
  for (const [metric, value, dimensions] of figures) samples.send({ metric, value, dimensions });
  return samples.summary();
}

test("a pass that did not check the API server has no summary", () => {
  assert.equal(summaryOf([["node.count", 3, { role: "master" }]]), undefined);
});

test("a summary has the unhealthy objects", () => {
  const condition = (name: string, type: string, status: string): Figure => [
    "clusteroperator.conditions",
    1,
    { name, type, status },
  ];
  const summary = summaryOf([
    ["apiserver.healthz.code", 1, { code: "200" }],
    condition("ingress", "Degraded", "True"),
    condition("dns", "Available", "False"),
    condition("etcd", "Progressing", "True"),
    condition("etcd", "Degraded", "Unknown"),
    ["node.conditions", 1, { nodeName: "worker-1", type: "Ready", status: "Unknown" }],
    ["node.conditions", 1, { nodeName: "worker-2", type: "DiskPressure", status: "True" }],
    ["node.count", 3, { role: "master" }],
    ["node.count", 2, { role: "worker" }],
    ["prometheus.alerts", 2, { alert: "KubeAPIDown", severity: "critical" }],
    ["prometheus.targeted.alerts", 1, { alert: "CertificateExpires", severity: "warning" }],
    ["prometheus.alerts", 1, { alert: "Watchdog", severity: "none" }],
    ["certificate.expirationdate", 80, { name: "a" }],
    ["certificate.expirationdate", 12, { name: "b" }],
  ]);
  assert.deepEqual(summary, {
    apiServer: 200,
    unavailableOperators: { count: 1, names: ["dns"] },
    degradedOperators: { count: 1, names: ["ingress"] },
    notReadyNodes: { count: 1, names: ["worker-1"] },
    nodes: 5,
    criticalAlerts: { count: 1, names: ["KubeAPIDown"] },
    warningAlerts: { count: 1, names: ["CertificateExpires"] },
    certificateDays: 12,
  });
});

test("a summary has at most 4 KiB for every response of a cluster", () => {
  const names = fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 60 });
  fc.assert(
    fc.property(names, (hostile) => {
      const summary = summaryOf([
        ["apiserver.healthz.code", 1, { code: "200" }],
        ...hostile.flatMap((name): readonly Figure[] => [
          ["clusteroperator.conditions", 1, { name, type: "Degraded", status: "True" }],
          ["clusteroperator.conditions", 1, { name, type: "Available", status: "False" }],
          ["node.conditions", 1, { nodeName: name, type: "Ready", status: "False" }],
          ["prometheus.alerts", 1, { alert: name, severity: "critical" }],
          ["prometheus.alerts", 1, { alert: name, severity: "warning" }],
        ]),
      ]);
      assert.ok(Buffer.byteLength(JSON.stringify(summary)) <= 4_096);
      assert.equal(summary?.notReadyNodes.count, new Set(hostile).size);
    }),
    { numRuns: 30 },
  );
});
