import assert from "node:assert/strict";
import { Secret } from "@keelson/base";
import { ClusterResponses, resources } from "@keelson/kube";
import { largeCluster, largestCluster, startHandler } from "@keelson/kube/testing";
import { ClusterView } from "../cluster/cluster-view.ts";
import { clusterAccess } from "../fleet/cluster-access.ts";
import { clusterDocument } from "./watched-cluster.ts";

/**
 * Asserts that the monitor can read all lists of a generated cluster. The cluster is `times` times as large as the largest
 * supported cluster. All of its pods are in one namespace.
 */
export async function holdsCluster(times: number): Promise<void> {
  const size = largestCluster(times);
  await using responses = new ClusterResponses();
  await using server = await startHandler(largeCluster(size));
  const document = clusterDocument("large", { aroServiceKubeconfig: new Secret(server.kubeconfig) });
  const azure = () => {
    throw new Error("Azure is not part of this test");
  };
  await using kube = clusterAccess({ connectAzure: azure, responses }).kube(document, () => {});
  const { signal } = new AbortController();
  const view = new ClusterView({ kube, azure, signal });
  const [pods, nodes, machines, operators] = await Promise.all([
    view.list(resources.pods, "openshift-monitoring"),
    view.list(resources.nodes),
    view.machines(),
    view.list(resources.clusterOperators),
  ]);
  assert.deepEqual(
    [pods.length, nodes.length, machines.length, operators.length],
    [size.pods, size.nodes, size.machines, size.clusteroperators],
  );
  assert.deepEqual(responses.exceededBy(document.openShiftCluster.id), []);
}
