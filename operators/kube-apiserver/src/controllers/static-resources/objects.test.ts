import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { parse } from "yaml";
import { staticObjects } from "./objects.ts";

const objects = staticObjects(33);
const named = (kind: string) =>
  objects.filter(({ resource }) => resource.kind === kind).map(({ object }) => object.metadata.name);

test("the namespace comes first, and allowed traffic before the default deny", () => {
  assert.equal(objects[0]?.resource.kind, "Namespace");
  assert.deepEqual(named("NetworkPolicy"), ["allow-all-egress", "default-deny"]);
});

test("alerts are those of the original", () => {
  const rules = objects
    .filter(({ resource }) => resource.kind === "PrometheusRule")
    .flatMap(({ object }) => listAt(object, "spec", "groups").flatMap((group) => listAt(group, "rules")));
  const alerts = rules.flatMap((rule) => stringAt(rule, "alert") ?? []);
  assert.deepEqual([...new Set(alerts)].sort(), [
    "APIRemovedInNextEUSReleaseInUse",
    "APIRemovedInNextReleaseInUse",
    "AuditLogError",
    "KubeAPIDown",
    "KubeAPIErrorBudgetBurn",
    "KubeAPITerminatedRequests",
    "KubeAggregatedAPIDown",
    "KubeAggregatedAPIErrors",
    "PodSecurityViolation",
  ]);
  assert.equal(alerts.filter((each) => each === "KubeAPIErrorBudgetBurn").length, 4);
  for (const rule of rules) {
    const expression = stringAt(rule, "expr") ?? "";
    const depth = [...expression].reduce(
      (open, each) => open + (each === "(" ? 1 : each === ")" ? -1 : 0),
      0,
    );
    assert.equal(depth, 0, expression);
  }
  // Each rate in an alert must have a recording rule.
  const recorded = new Set(rules.flatMap((rule) => stringAt(rule, "record") ?? []));
  for (const rule of rules)
    for (const [used = ""] of (stringAt(rule, "expr") ?? "").matchAll(/sum:apiserver_request:burnrate\w+/g))
      assert.ok(recorded.has(used), used);
});

test("kubeconfigs reach the API server on their own node", () => {
  const maps = objects.filter(({ resource }) => resource.kind === "ConfigMap");
  assert.deepEqual(named("ConfigMap"), [
    "kube-apiserver-cert-syncer-kubeconfig",
    "control-plane-node-kubeconfig",
    "check-endpoints-kubeconfig",
  ]);
  for (const { object } of maps)
    assert.equal(
      parse(stringAt(object, "data", "kubeconfig") ?? "").clusters[0].cluster.server,
      "https://localhost:6443",
    );
});
