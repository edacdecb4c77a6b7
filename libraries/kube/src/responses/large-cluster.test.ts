import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterLimits, resources } from "../index.ts";
import { connect } from "../testing/cluster.ts";
import { startHandler } from "../testing/https-handler.ts";
import { largeCluster, largestCluster } from "../testing/large-cluster.ts";

const { signal } = new AbortController();
const size = { ...largestCluster(4), pods: 2_000 };

for (const [name, options] of [
  ["operators", {}],
  ["services", { reader: { name: "test", limits: clusterLimits } }],
] as const) {
  test(`the limits of ${name} admit whole objects of four times the largest supported cluster`, async () => {
    await using server = await startHandler(largeCluster(size));
    await using kube = connect(server.kubeconfig, options);
    for (const resource of [
      resources.nodes,
      resources.pods,
      resources.machines,
      resources.clusterOperators,
    ]) {
      const { items } = await kube.list(resource, {}, signal);
      assert.equal(items.length, Object.entries(size).find(([plural]) => plural === resource.plural)?.[1]);
    }
  });
}
