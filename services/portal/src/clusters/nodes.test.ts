import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeClient, KubeError, type KubeObject, type KubeResource } from "@keelson/kube";
import { nodesSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { readNodes } from "./nodes.ts";

const signal = AbortSignal.timeout(60_000);
const node: KubeObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: "worker-1",
    labels: { "node-role.kubernetes.io/worker": "", "topology.kubernetes.io/zone": "eastus-1" },
  },
  status: {
    capacity: { cpu: "4", memory: "16Gi" },
    nodeInfo: { kubeletVersion: "v1.32.7", osImage: "RHCOS" },
    addresses: [
      { type: "Hostname", address: "worker-1" },
      { type: "InternalIP", address: "10.0.2.5" },
    ],
  },
};

/**
 * Returns a client that lists the node. When the node's metrics are read, the client returns `metrics`, or throws `metrics` if it
 * is an error.
 */
function kubeWith(metrics: object | KubeError): KubeClient {
  const list = async ({ kind }: KubeResource) => {
    if (kind === "Node") return { items: [node] };
    if (metrics instanceof KubeError) throw metrics;
    return { items: [{ metadata: { name: "worker-1" }, ...metrics }] };
  };
  return { list } as unknown as KubeClient;
}

test("a node has its roles, zone, versions, address and usage", async () => {
  const nodes = await readNodes(kubeWith({ usage: { cpu: "1000m", memory: "4Gi" } }), signal);
  assert.ok(Value.Check(nodesSchema, nodes));
  const [{ roles, zone, kubeletVersion, osImage, internalIp, usage } = assert.fail()] = nodes.nodes;
  assert.deepEqual(
    { roles, zone, kubeletVersion, osImage, internalIp, usage },
    {
      roles: ["worker"],
      zone: "eastus-1",
      kubeletVersion: "v1.32.7",
      osImage: "RHCOS",
      internalIp: "10.0.2.5",
      usage: { cpuPercent: 25, memoryPercent: 25 },
    },
  );
});

test("nodes are shown without usage if the cluster has no valid metrics", async () => {
  for (const metrics of [
    new KubeError(404, "NotFound", "no metrics"),
    new KubeError(403, "Forbidden", "no rights"),
    {},
    { usage: { cpu: "1", memory: {} } },
  ]) {
    const nodes = await readNodes(kubeWith(metrics), signal);
    assert.ok(Value.Check(nodesSchema, nodes));
    assert.deepEqual(
      nodes.nodes.map(({ usage }) => usage),
      [undefined],
    );
  }
});
