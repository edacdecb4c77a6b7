/**
 * Server of the connection fuzzer: an API server with a pod for exec and port-forward. Sends its kubeconfig to the parent
 * process.
 */

import process from "node:process";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { startCluster } from "../../../libraries/kube/src/testing/cluster.ts";
import { limitHandshakes } from "../handshake-limit.ts";
import { Random, stall } from "./random.ts";

const random = new Random(Number(process.argv[2]));
const cluster = await startCluster();
// The stalls are long enough to exceed this limit while the client's messages wait in the socket.
limitHandshakes(600);
const { client } = cluster.logical;
const refuse = () => Promise.reject(new Error("not part of the fuzzer"));
cluster.logical.setKubelet({
  async *logs(_pod, _options, signal) {
    for (let line = 0; !signal.aborted && line < 500; line++) {
      yield Buffer.from(`${"x".repeat(random.below(5_000))}\n`);
      await delay(random.below(20));
    }
  },
  attach: refuse,
  askNode: refuse,
  async exec(_pod, _options, streams, signal) {
    for (let part = 0; !signal.aborted && part < 100; part++) {
      streams.stdout?.write(Buffer.alloc(random.below(60_000)));
      await delay(random.below(10));
    }
    return 0;
  },
  // Echoes the received bytes.
  connect: async () => new PassThrough(),
});
await client.create({ group: "", version: "v1", resource: "nodes" }, object("Node", { name: "node" }));
const pods = { group: "", version: "v1", resource: "pods" };
const created = await client.create(pods, {
  ...object("Pod", { name: "pod", namespace: "default" }),
  spec: { nodeName: "node", containers: [{ name: "c", image: "i" }] },
});
await client.updateStatus(pods, { ...created, status: { phase: "Running" } });
process.send?.({ kubeconfig: cluster.kubeconfig });
process.on("disconnect", () => process.exit());
void stall(random);

function object(kind: string, metadata: { name: string; namespace?: string }) {
  return { apiVersion: "v1", kind, metadata };
}
