import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import { manifests } from "./manifests.ts";

const release = {
  image: "operator:1",
  operandImage: "hyperkube:1",
  version: "4.19.24",
  kubernetesVersion: "1.32.9",
};

test("the console gets a dashboard with one Prometheus query per panel", () => {
  const objects = manifests(release).map(({ object }) => object);
  const dashboard = objects.find(({ metadata }) => metadata.labels?.["console.openshift.io/dashboard"]);
  assert.deepEqual(
    [dashboard?.metadata.namespace, dashboard?.metadata.name],
    ["openshift-config-managed", "grafana-dashboard-apiserver-performance"],
  );
  const content: unknown = JSON.parse(stringAt(dashboard, "data", "api-performance.json") ?? "");
  assert.equal(stringAt(content, "title"), "API Performance");
  const panels = listAt(content, "panels");
  assert.ok(panels.length >= 12);
  assert.equal(new Set(panels.map((each) => numberAt(each, "id"))).size, panels.length);
  for (const panel of panels) {
    const title = stringAt(panel, "title") ?? "";
    const [target, second] = listAt(panel, "targets");
    assert.equal(second, undefined, title);
    const expression = stringAt(target, "expr") ?? "";
    assert.match(expression, /\{job="apiserver"/, title);
    for (const [open, close] of ["()", "{}", "[]"])
      assert.equal(expression.split(open ?? "").length, expression.split(close ?? "").length, expression);
    const labels = [...(stringAt(target, "legendFormat") ?? "").matchAll(/\{\{(\w+)\}\}/g)];
    assert.ok(labels.length > 0, title);
    for (const [, label = ""] of labels)
      assert.match(expression, new RegExp(`by \\([^)]*\\b${label}\\b`), title);
  }
});

test("network policies of the operator's namespace have the names of the original", () => {
  const policies = manifests(release).filter(({ object }) => object.kind === "NetworkPolicy");
  assert.deepEqual(policies.map(({ object: { metadata } }) => metadata.name).sort(), [
    "allow-all-egress-and-metrics-ingress",
    "default-deny",
  ]);
});

test("the operator has ten minutes to start, and its liveness needs no API server", () => {
  const deployment = manifests(release).find(({ object }) => object.kind === "Deployment")?.object;
  const [container] = listAt(deployment, "spec", "template", "spec", "containers");
  const httpGet = { path: "/healthz", port: "health" };
  assert.deepEqual(valueAt(container, "startupProbe"), { httpGet, periodSeconds: 5, failureThreshold: 120 });
  assert.deepEqual(valueAt(container, "livenessProbe"), { httpGet });
});

test("a release may set the minimum time between two masters of a rollout", () => {
  const argumentsOf = (of: Parameters<typeof manifests>[0]) => {
    const deployment = manifests(of).find(({ object }) => object.kind === "Deployment")?.object;
    return valueAt(listAt(deployment, "spec", "template", "spec", "containers")[0], "args");
  };
  const original = ["--config=/var/run/configmaps/config/config.yaml", "--listen=0.0.0.0:8080"];
  assert.deepEqual(argumentsOf(release), original);
  assert.deepEqual(argumentsOf({ ...release, minReadySeconds: 0 }), [...original, "--min-ready=0"]);
});
