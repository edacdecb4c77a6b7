import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterAlertsSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { alertsOf } from "./alerts.ts";

const envelope = (...alerts: readonly unknown[]) => ({ status: "success" as const, data: { alerts } });
const alert = {
  state: "firing",
  activeAt: "2026-01-01T00:00:00.5Z",
  value: "1e+00",
  labels: {
    alertname: "KubeNodeNotReady",
    severity: "warning",
    namespace: "openshift-monitoring",
    node: "w-1",
  },
  annotations: {
    summary: "Node is not ready.",
    description: "w-1 has been unready for 15 minutes.",
    runbook_url: "https://example.com/runbook.md",
  },
};

test("a firing alert has its annotations, start and further labels", () => {
  const response = alertsOf(envelope(alert, { ...alert, state: "pending" }));
  assert.ok(Value.Check(clusterAlertsSchema, response));
  assert.deepEqual(response, {
    total: 1,
    alerts: [
      {
        name: "KubeNodeNotReady",
        severity: "warning",
        namespace: "openshift-monitoring",
        summary: "Node is not ready.",
        description: "w-1 has been unready for 15 minutes.",
        runbookUrl: "https://example.com/runbook.md",
        since: "2026-01-01T00:00:00.500Z",
        labels: { node: "w-1" },
      },
    ],
  });
});

test("a runbook that is no HTTPS URL without credentials is left out", () => {
  for (const runbook_url of ["javascript:alert(1)", "http://a", "//a", "https://a:b@c", "", 1, {}])
    assert.equal(
      alertsOf(envelope({ ...alert, annotations: { runbook_url } })).alerts[0]?.runbookUrl,
      undefined,
      `${runbook_url}`,
    );
});

test("a response with any content produces a valid and bounded list", () => {
  const large = "x".repeat(100_000);
  const labels = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}${large}`, large]));
  const hostile = [
    undefined,
    null,
    1,
    { state: "firing" },
    { state: "firing", labels: [], annotations: 1, activeAt: {} },
    { state: "firing", labels: { alertname: {}, severity: 1, constructor: "x", __proto__: "y" } },
    ...Array.from({ length: 600 }, () => ({ state: "firing", labels, annotations: { summary: large } })),
  ];
  const response = alertsOf(envelope(...hostile));
  assert.ok(Value.Check(clusterAlertsSchema, response));
  assert.equal(response.total, 603);
  assert.ok(JSON.stringify(response).length < 500 * 32 * 600);
  for (const data of [undefined, null, [], { alerts: {} }, "x"])
    assert.deepEqual(alertsOf({ status: "success", data }), { total: 0, alerts: [] });
});
