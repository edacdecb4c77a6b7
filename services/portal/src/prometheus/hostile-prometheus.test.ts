/** Responses of a customer's cluster in the portal's origin. In Chromium: hostile-prometheus.client-test.ts. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  applyPrometheusReader,
  type GuardedCluster,
  startGuardedCluster,
} from "../testing/guarded-cluster.ts";
import { hostilePrometheus } from "../testing/hostile-prometheus.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(120_000);
let at: TestPortal;
let cluster: GuardedCluster;
let person: Person;
let id: string;

before(async () => {
  [at, cluster] = await Promise.all([startTestPortal(), startGuardedCluster(hostilePrometheus)]);
  await applyPrometheusReader(cluster.kube, signal);
  id = await storeCluster(at.database, cluster.kubeconfigs);
  person = await at.signedIn("administrator");
});
after(async () => {
  await at?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const paths: readonly [path: string, status: number][] = [
  ["api/v1/query?query=up", 502],
  ["api/v1/query?js=1", 502],
  ["api/v1/label/job/values", 502],
  ["-/ready", 200],
  ["-/healthy", 200],
];
for (const [path, expected] of paths)
  test(`/prometheus/${path} returns nothing that the cluster wrote, in a sandbox`, async () => {
    const { status, headers, text } = await person.browser.send(at.portal.url, `${id}/prometheus/${path}`);
    assert.equal(status, expected, text);
    assert.match(`${headers["content-type"]}`, /^application\/json$|^text\/plain/);
    assert.doesNotMatch(text, /<script|fetch\(/);
    assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(`${headers["content-disposition"]}`, /^attachment/);
    assert.equal(headers["set-cookie"], undefined);
    if (expected === 502) assert.equal(JSON.parse(text).error.code, "ClusterResponseInvalid");
  });

const dataPaths = [
  ...["", "/nodes", "/machines", "/machine-sets", "/clusteroperators", "/operations", "/maintenance"],
  ...["/actions", "/sessions", "/activity", "/recordings", "/recordings/x"],
  `/statistics/kubeapicpu?duration=1h&endtime=${new Date().toISOString()}`,
];
for (const path of dataPaths)
  test(`the response for a cluster's data ${path.replace(/\?.*/, "")} is sandboxed, also that of an error`, async () => {
    const [, , subscription, , group, , , , name] = id.split("/");
    const url = `/api/${subscription}/${group}/${name}${path}`;
    const { headers } = await person.browser.send(at.portal.url, url, {
      headers: { accept: "application/json" },
    });
    assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert.match(`${headers["content-disposition"]}`, /^attachment/);
  });
