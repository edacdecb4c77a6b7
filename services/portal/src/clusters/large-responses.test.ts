import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { after, before, describe, test } from "node:test";
import { ClusterResponses } from "@keelson/kube";
import { largeCluster, largestCluster, startHandler } from "@keelson/kube/testing";
import { bothKubeconfigs, storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const stack = new AsyncDisposableStack();
let at: TestPortal;
let reader: Person;
let handle: RequestListener;
let kubeconfig: string;

before(async () => {
  const responses = stack.use(new ClusterResponses());
  const server = stack.use(await startHandler((request, response) => handle(request, response)));
  kubeconfig = server.kubeconfig;
  at = stack.use(await startTestPortal({ responses }));
  reader = await at.signedIn("reader");
});
after(() => stack.disposeAsync());

async function get(id: string, page: string) {
  const [, , subscriptionId, , group, , , , name] = id.split("/");
  const path = `/api/${subscriptionId}/${group}/${name}${page}`;
  const { status, text } = await reader.browser.send(at.portal.url, path);
  return { status, json: JSON.parse(text) };
}

/** Returns a list that contains one object with these conditions. */
const listOf = (conditions: readonly string[]) =>
  `{"kind":"List","metadata":{},"items":[{"metadata":{"name":"m"},"status":{"conditions":[${conditions}]}}]}`;
const numbered = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at));

const large: readonly (readonly [name: string, body: string, limit: string])[] = [
  ["600,000 distinct field names", listOf(numbered(600_000, (at) => `{"k${at}":0}`)), "tokens"],
  ["100,000 conditions", listOf(numbered(100_000, () => '{"type":"T","status":"True"}')), "objectTokens"],
  ["20 MB", listOf([JSON.stringify({ message: "x".repeat(20_000_000) })]), "bytes"],
];

describe("large responses of a cluster", () => {
  for (const [name, body, limit] of large) {
    test(`${name} are 502 ClusterResponseTooLarge and a line of the cluster's page`, async () => {
      handle = (_request, response) => response.end(body);
      const id = await storeCluster(at.database, bothKubeconfigs(kubeconfig));
      assert.equal((await get(id, "")).json.exceededLimits, "");
      const { status, json } = await get(id, "/clusteroperators");
      assert.deepEqual([status, json.error.code], [502, "ClusterResponseTooLarge"]);
      assert.equal((await get(id, "")).json.exceededLimits, `${limit} (portal)`);
    });
  }

  test("four times the largest supported cluster is within the limits", async () => {
    const size = largestCluster(4);
    handle = largeCluster(size);
    const id = await storeCluster(at.database, bothKubeconfigs(kubeconfig));
    const { nodes } = (await get(id, "/nodes")).json;
    const { machines } = (await get(id, "/machines")).json;
    const { machines: sets } = (await get(id, "/machine-sets")).json;
    const { operators } = (await get(id, "/clusteroperators")).json;
    assert.deepEqual(
      [nodes.length, machines.length, sets.length, operators.length],
      [size.nodes, size.machines, size.machinesets, size.clusteroperators],
    );
  });
});
