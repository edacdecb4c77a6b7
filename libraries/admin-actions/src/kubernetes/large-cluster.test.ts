import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import type { ClusterEnvironment } from "@keelson/cluster";
import { newCluster } from "@keelson/cluster/testing";
import { ClusterResponses } from "@keelson/kube";
import { largeCluster, largestCluster, startHandler } from "@keelson/kube/testing";
import { type ClusterDocument, clusterKeys, withProperties } from "@keelson/model";
import { clusterConnector } from "../context/connect-cluster.ts";
import { topNodes, topPods } from "./resource-usage.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const { signal } = new AbortController();
// Four times the largest supported cluster, but with only 5,000 instead of 50,000 pods, so that the test is fast. A long test of
// the monitor uses all 50,000 pods.
const size = { ...largestCluster(4), pods: 5_000 };
let document: ClusterDocument;

before(async () => {
  const server = stack.use(await startHandler(largeCluster(size)));
  const made = newCluster({
    name: "large",
    subscriptionId: "33333333-3333-4333-8333-333333333333",
    state: "Succeeded",
  });
  const openShiftCluster = withProperties(made, { aroServiceKubeconfig: new Secret(server.kubeconfig) });
  document = { ...clusterKeys(openShiftCluster), id: "id", partitionKey: "s", bucket: 0, openShiftCluster };
});

test("administrators' actions read four times the largest supported cluster", async () => {
  const responses = stack.use(new ClusterResponses());
  // The environment contains only the response parser, because the test only reads from the cluster.
  const environment = { responses } as Partial<ClusterEnvironment> as ClusterEnvironment;
  const connect = clusterConnector(environment, systemClock);
  await using context = connect(document, { logger: silentLogger, signal });
  assert.equal((await topNodes(context)).length, size.nodes);
  assert.ok(await topPods(context, { allNamespaces: true }));
  assert.deepEqual(responses.exceededBy(document.openShiftCluster.id), []);
});
