/**
 * Tests the permissions of the portal's identity in clusters. The clusters grant exactly the permissions of the identity's roles.
 */
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { prometheusReader } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import {
  applyPrometheusReader,
  type GuardedCluster,
  startGuardedCluster,
} from "../testing/guarded-cluster.ts";
import { storeCluster, subscriptionId as subscription } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
const apiGroup = "rbac.authorization.k8s.io";
const monitoring = { namespace: "openshift-monitoring", name: prometheusReader.name };
const sre = { name: "system:aro-sre" };
let at: TestPortal;
let cluster: GuardedCluster;
let reader: Person;
let id: string;
let data: string;

const alert = {
  state: "firing",
  labels: { alertname: "Mine", severity: "warning" },
  annotations: { summary: "<b>Mine</b>", runbook_url: "javascript:alert(1)" },
};

function respond({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  const data = url?.startsWith("/api/v1/alerts") ? { alerts: [alert] } : { resultType: "matrix", result: [] };
  response.end(JSON.stringify({ status: "success", data }));
}

before(async () => {
  [at, cluster] = await Promise.all([startTestPortal(), startGuardedCluster(respond)]);
  id = await storeCluster(at.database, cluster.kubeconfigs);
  const [, , , , group, , , , name] = id.split("/");
  data = `/api/${subscription}/${group}/${name}`;
  reader = await at.signedIn("reader");
});
after(async () => {
  await at?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const get = (path: string) => reader.browser.send(at.portal.url, path);
const query = () => get(`${id}/prometheus/api/v1/query?query=up`);
const statistics = () => get(`${data}/statistics/kubeapicpu?duration=1h&endtime=${new Date().toISOString()}`);

async function assertNotReady(path: string, message: RegExp): Promise<void> {
  const { status, headers, text } = await get(path);
  assert.deepEqual([status, headers["retry-after"]], [503, "10"], text);
  const { error } = JSON.parse(text);
  assert.equal(error.code, "AccessNotReady");
  assert.match(error.message, message);
}

test("after an install, pages report the missing rights and the time of the next attempt", async () => {
  await assertNotReady(`${data}/nodes`, /operator grants them their rights/);
  await cluster.kube.create(
    resources.clusterRoles,
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRole",
      metadata: sre,
      rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["list"] }],
    },
    signal,
  );
  await cluster.kube.create(
    resources.clusterRoleBindings,
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: sre,
      roleRef: { apiGroup, kind: "ClusterRole", name: sre.name },
      subjects: [{ apiGroup, kind: "User", name: sre.name }],
    },
    signal,
  );
  const { status, text } = await get(`${data}/nodes`);
  assert.deepEqual([status, JSON.parse(text).nodes.length], [200, 1]);
});

test("Prometheus is read as an account that the install makes, which may do nothing else", async () => {
  await assertNotReady(`${id}/prometheus/api/v1/query?query=up`, /no service account openshift-azure-oper/);
  await applyPrometheusReader(cluster.kube, signal);
  assert.equal((await query()).status, 200);
  assert.equal((await statistics()).status, 200);
  const [first] = cluster.asked;
  assert.deepEqual([first?.headers.cookie, first?.headers.authorization], [undefined, undefined]);
  // The service's own credentials may forward ports even without this role binding. A successful request would therefore show
  // that the portal used these credentials.
  await cluster.kube.delete(resources.roleBindings, monitoring, signal);
  await assertNotReady(`${id}/prometheus/api/v1/query?query=up`, /operator grants them their rights/);
  await applyPrometheusReader(cluster.kube, signal);
  assert.equal((await query()).status, 200);
});

test("alerts have the fields of the portal only, and each read of them is in the audit", async () => {
  await applyPrometheusReader(cluster.kube, signal);
  const { status, text, headers } = await get(`${data}/alerts`);
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "application/json");
  assert.deepEqual(JSON.parse(text), {
    total: 1,
    alerts: [
      {
        name: "Mine",
        severity: "warning",
        namespace: "",
        summary: "<b>Mine</b>",
        description: "",
        labels: {},
      },
    ],
  });
  const line = at.lines.findLast(
    ({ logKind, operation }) => logKind === "audit" && `${operation}`.endsWith("/alerts"),
  );
  assert.deepEqual([line?.caller, line?.result], ["reader@keelson.local", "Success"]);
});

test("a token of a recreated account is replaced", async () => {
  await applyPrometheusReader(cluster.kube, signal);
  assert.equal((await query()).status, 200);
  await cluster.kube.delete(resources.serviceAccounts, prometheusReader, signal);
  await applyPrometheusReader(cluster.kube, signal);
  assert.equal((await query()).status, 200);
});

test("a cluster without the account reports that immediately", async () => {
  await cluster.kube.delete(resources.serviceAccounts, prometheusReader, signal);
  await assertNotReady(`${id}/prometheus/api/v1/query?query=up`, /maintenance task OperatorUpdate/);
});
