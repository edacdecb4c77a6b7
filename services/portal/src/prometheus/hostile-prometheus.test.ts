/**
 * Tests responses of a customer's cluster that the portal serves from its own origin. hostile-prometheus.client-test.ts tests
 * them in Chromium.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type HostilePortal, startHostilePortal } from "../testing/hostile-prometheus.ts";
import type { Person } from "../testing/test-portal.ts";

let hostile: HostilePortal;
let person: Person;

before(async () => {
  hostile = await startHostilePortal();
  person = await hostile.at.signedIn("administrator");
});
after(() => hostile?.[Symbol.asyncDispose]());

const send = (path: string) =>
  person.browser.send(hostile.at.portal.url, path, { headers: { accept: "application/json" } });

const paths: readonly [path: string, status: number][] = [
  ["api/v1/query?query=up", 502],
  ["api/v1/query?js=1", 502],
  ["api/v1/label/job/values", 502],
  ["-/ready", 200],
  ["-/healthy", 200],
];
for (const [path, expected] of paths)
  test(`/prometheus/${path} returns nothing that the cluster wrote, in a sandbox`, async () => {
    const { status, headers, text } = await send(`${hostile.id}/prometheus/${path}`);
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
    const { headers } = await send(`${hostile.data}${path}`);
    assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert.match(`${headers["content-disposition"]}`, /^attachment/);
  });
