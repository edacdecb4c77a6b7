/**
 * Tests the portal's responses about clusters with hostile API servers. hostile-cluster.client-test.ts opens the pages in
 * Chromium.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { portalRoutes } from "@keelson/portal-api";
import { Value } from "typebox/value";
import {
  type HostileApiServer,
  type HostileKind,
  hostileKinds,
  startHostileApiServer,
} from "../testing/hostile-api-server.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

let at: TestPortal;
let person: Person;
const servers: HostileApiServer[] = [];
const data = new Map<HostileKind, string>();

before(async () => {
  at = await startTestPortal();
  person = await at.signedIn("administrator");
  for (const kind of Object.keys(hostileKinds) as HostileKind[]) {
    const server = await startHostileApiServer(kind);
    servers.push(server);
    const [, , subscription, , group, , , , name] = (
      await storeCluster(at.database, server.kubeconfigs, kind)
    ).split("/");
    data.set(kind, `/api/${subscription}/${group}/${name}`);
  }
});
after(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await at?.[Symbol.asyncDispose]();
});

const log = "pods/openshift-etcd/a/c/log";
const routes = {
  nodes: portalRoutes.nodes.response,
  machines: portalRoutes.machines.response,
  "machine-sets": portalRoutes.machineSets.response,
  clusteroperators: portalRoutes.clusterOperators.response,
  events: portalRoutes.clusterEvents.response,
  pods: portalRoutes.pods.response,
  "custom-kinds": portalRoutes.customKinds.response,
  "objects?kind=pod": portalRoutes.objects.response,
  "object?kind=pod&namespace=openshift-etcd&name=a": portalRoutes.object.response,
  [log]: portalRoutes.containerLog.response,
} as const;

async function get(kind: HostileKind, path: string) {
  const { status, headers, text } = await person.browser.send(at.portal.url, `${data.get(kind)}/${path}`);
  assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox", path);
  assert.equal(headers["content-type"], "application/json", path);
  assert.equal(headers["set-cookie"], undefined, path);
  return { status, text, value: JSON.parse(text) };
}

describe("an API server with attacks in all strings", () => {
  for (const [path, schema] of Object.entries(routes))
    test(`${path} has its declared form`, async () => {
      const { status, text, value } = await get("strings", path);
      assert.equal(status, 200, JSON.stringify(value));
      assert.deepEqual([...Value.Errors(schema, value)], []);
      // The response with one object may contain control characters, because the browser escapes them in the object's YAML.
      if (!path.startsWith("object?")) assert.doesNotMatch(text, /\u202e|\\u001b|\u009b/);
      assert.ok(JSON.stringify(value).includes(path === log ? "<script" : "<img"), "it has the strings");
    });
});

for (const kind of ["html", "deep", "endless", "bytes"] as const)
  test(`an API server with responses of the kind ${kind} produces errors for every route`, async () => {
    for (const path of Object.keys(routes)) {
      // Logs are skipped, because any text is a valid log, so these responses need not cause an error. An endless log either
      // fails or ends at its size limit.
      if (path === log) continue;
      const { status, value } = await get(kind, path);
      const isFound = path.startsWith("object") && status === 404;
      if (!isFound) assert.ok([502, 504].includes(status), `${path}: ${status} ${JSON.stringify(value)}`);
      assert.equal(typeof value.error.code, "string");
      assert.doesNotMatch(JSON.stringify(value), /<script|<img/);
    }
  });

test("an object of 12 MiB is an error, and a list of such objects is returned without its annotations", async () => {
  const { status, value } = await get("large", "object?kind=pod&namespace=openshift-etcd&name=a");
  assert.ok([404, 502].includes(status), JSON.stringify(value).slice(0, 300));
  const pods = await get("large", "pods");
  assert.equal(pods.status, 200);
  assert.ok(pods.text.length < 10_000, `${pods.text.length}`);
});
