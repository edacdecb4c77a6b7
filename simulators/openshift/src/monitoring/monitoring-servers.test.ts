import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { isPlainObject, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { connectKube, type KubeClient } from "@keelson/kube";
import { resources } from "../base/resources.ts";
import { installed } from "../testing/installed-cluster.ts";
import type { TestWorld } from "../testing/installed-world.ts";

const signal = AbortSignal.timeout(900_000);
const namespace = "openshift-monitoring";
let world: TestWorld;
let kube: KubeClient;

before(async () => {
  world = await installed();
  await world.client.create(
    { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterrolebindings" },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "test-admin" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", namespace, name: "default" }],
    },
  );
  kube = connectKube({
    kubeconfig: await world.kubeconfigOf(namespace, "default"),
    userAgent: "test",
    fieldManager: "test",
  });
  await eventually(async () => {
    for (const name of ["prometheus-k8s-1", "alertmanager-main-2", "alertmanager-main-0"])
      assert.equal(
        stringAt(await world.client.get(resources.pods, { namespace, name }), "status", "phase"),
        "Running",
      );
  });
});
beforeEach(() => void world.simulated.faults.clear());
after(async () => {
  await kube?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

async function get(
  name: string,
  port: number,
  path: string,
  form?: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const connection = await kube.connectPort({ namespace, name }, port, signal);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const asked = request({
    host: "x",
    path,
    ...(form === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } }),
    createConnection: () => connection,
  });
  asked.on("error", reject).on("response", async (response) => {
    const text = Buffer.concat(await response.toArray()).toString();
    const isJson = response.headers["content-type"] === "application/json";
    resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
  });
  asked.end(form);
  return promise.finally(() => connection.destroy());
}

async function alertNames(replica = 0): Promise<readonly string[]> {
  const { status, body } = await get(`alertmanager-main-${replica}`, 9_093, "/api/v2/alerts");
  assert.equal(status, 200);
  assert.ok(Array.isArray(body));
  return body.map((alert) => stringAt(alert, "labels", "alertname") ?? "").sort();
}

/** Returns range parameters for a single time, one hour from now. By that time, the cluster's metrics are constant. */
function atOnce(): string {
  const later = Math.floor(Date.now() / 1_000) + 3_600;
  return `&start=${later}&end=${later}&step=1`;
}

async function query(text: string, parameters = ""): Promise<readonly unknown[]> {
  const path = `/api/v1/query${parameters ? "_range" : ""}?query=${encodeURIComponent(text)}${parameters}`;
  const { status, body } = await get("prometheus-k8s-0", 9_090, path);
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok(isPlainObject(body) && isPlainObject(body.data) && Array.isArray(body.data.result));
  return body.data.result;
}

test("a healthy cluster has the alert that always fires, at each replica", async () => {
  for (const replica of [0, 1, 2]) assert.deepEqual(await alertNames(replica), ["Watchdog"]);
});

test("alerts follow faults and their effects, and resolve with them", async () => {
  const { faults } = world.simulated;
  const node = "demo-x7k2p-master-2";
  faults.set({ kind: "node-not-ready", parameters: { node } });
  faults.set({ kind: "operator-degraded", parameters: { operator: "dns", reason: "Broken" } });
  faults.set({ kind: "alert", parameters: { alert: "Mine", severity: "critical", namespace: "customer" } });
  const expected = ["ClusterOperatorDegraded", "KubeNodeNotReady", "Mine"];
  await eventually(async () => {
    const names = await alertNames();
    for (const name of expected) assert.ok(names.includes(name), names.join());
  });
  const { body } = await get("alertmanager-main-1", 9_093, "/api/v2/alerts");
  assert.ok(Array.isArray(body));
  const degraded = body.find((each) => stringAt(each, "labels", "alertname") === "ClusterOperatorDegraded");
  assert.deepEqual(degraded.labels, {
    alertname: "ClusterOperatorDegraded",
    name: "dns",
    namespace: "openshift-cluster-version",
    reason: "Broken",
    severity: "warning",
  });
  assert.deepEqual([degraded.status.state, degraded.receivers], ["active", [{ name: "Default" }]]);
  const ofPrometheus = await get("prometheus-k8s-0", 9_090, "/api/v1/alerts");
  const { data } = Object(ofPrometheus.body);
  const mine = data.alerts.find((each: unknown) => stringAt(each, "labels", "alertname") === "Mine");
  assert.deepEqual([mine.state, mine.labels.severity], ["firing", "critical"]);
  faults.clear();
  await eventually(async () => assert.deepEqual(await alertNames(), ["Watchdog"]));
});

test("a pod with unreachable ports refuses connections, and the other replicas respond", async () => {
  world.simulated.faults.set({
    kind: "port-unreachable",
    parameters: { namespace, pod: "alertmanager-main-0" },
  });
  await assert.rejects(alertNames(0), { message: /connection refused/ });
  assert.deepEqual(await alertNames(1), ["Watchdog"]);
});

test("Prometheus is ready and reports the targets that are up", async () => {
  assert.equal((await get("prometheus-k8s-1", 9_090, "/-/ready")).status, 200);
  const up = await query("sum by (job) (up)", atOnce());
  assert.deepEqual(
    Object.fromEntries(
      up.map((each) => [stringAt(each, "metric", "job"), Number(stringAt(each, "values", 0, 1))]),
    ),
    {
      apiserver: 3,
      "kube-controller-manager": 3,
      kubelet: 6,
    },
  );
});

/** Queries of the portal's statistics page with the expected number of series. */
const statistics: readonly (readonly [query: string, series: number])[] = [
  ['rate(process_cpu_seconds_total{job="apiserver"}[5m])', 3],
  ['process_resident_memory_bytes{job="kube-controller-manager"}', 3],
  ['sum(rate(rest_client_requests_total{job="kube-controller-manager"}[5m])) by (code)', 5],
  ["sum(rate(coredns_dns_responses_total[5m])) by (rcode)", 3],
  [
    'sum(rate(coredns_dns_responses_total{rcode=~"SERVFAIL|NXDOMAIN"}[5m])) by (pod) / sum(rate(coredns_dns_responses_total{rcode=~"NOERROR"}[5m])) by (pod)',
    6,
  ],
  ["histogram_quantile(0.99, sum(rate(coredns_health_request_duration_seconds_bucket[5m])) by (le))", 1],
  ["histogram_quantile(0.95, sum(rate(coredns_forward_request_duration_seconds_bucket[5m])) by (le))", 1],
  ["histogram_quantile(0.95, sum(rate(coredns_dns_request_duration_seconds_bucket[5m])) by (le))", 1],
];

test("range queries of the portal's charts return deterministic values", async () => {
  const created = Math.floor(Date.now() / 1_000);
  // The range is in the future because the curves of a new cluster are deterministic there.
  const range = `&start=${created + 3_600}&end=${created + 7_200}&step=2m`;
  for (const [text, series] of statistics) {
    const result = await query(text, range);
    assert.equal(result.length, series, text);
    for (const each of result) {
      assert.ok(isPlainObject(each) && Array.isArray(each.values));
      assert.equal(each.values.length, 31, text);
      assert.ok(
        each.values.every(([, value]) => Number(value) >= 0),
        text,
      );
    }
    assert.deepEqual(await query(text, range), result);
  }
  assert.ok((await query("sum(ingress_controller_conditions) by (condition)", range)).length > 0);
});

test("rejected requests are counted, both real ones and those of faults", async () => {
  const codes = 'sum(rate(apiserver_request_total{job="apiserver",code=~"5.."}[10m])) by (code)';
  assert.deepEqual(await query(codes), []);
  world.simulated.faults.set({
    kind: "api-error",
    parameters: { code: 503, percent: 50, resource: "leases" },
  });
  const [broken] = await query(codes, atOnce());
  assert.equal(stringAt(broken, "metric", "code"), "503");
});

test("labels, series, bad queries and forms are handled as in Prometheus", async () => {
  const prometheus = (path: string, form?: string) => get("prometheus-k8s-0", 9_090, path, form);
  const { body: labels } = await prometheus("/api/v1/labels?match[]=up");
  assert.deepEqual(labels, { status: "success", data: ["__name__", "instance", "job", "namespace", "node"] });
  const { body: values } = await prometheus("/api/v1/label/job/values?match[]=up");
  assert.deepEqual(values, { status: "success", data: ["apiserver", "kube-controller-manager", "kubelet"] });
  assert.equal((await prometheus("/api/v1/series")).status, 400);
  assert.equal((await prometheus("/api/v1/query", "query=up")).status, 200);
  const bad = await prometheus("/api/v1/query?query=sum(");
  assert.equal(bad.status, 400);
  assert.equal(stringAt(bad.body, "errorType"), "bad_data");
  const fine = await prometheus("/api/v1/query_range?query=up&start=0&end=1000000&step=1");
  assert.equal(fine.status, 400);
  assert.match(stringAt(fine.body, "error") ?? "", /exceeded maximum resolution/);
  assert.equal((await prometheus("/nothing")).status, 404);
  assert.equal((await prometheus("/api/v1/query", `query=${"x".repeat(70_000)}`)).status, 413);
});
