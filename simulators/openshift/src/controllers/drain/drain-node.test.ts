import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ApiServer, type ClusterClient, type KubeObject, startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { eventually } from "@keelson/base/testing/eventually";
import { timestamp } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import { type RunningCache, startClusterCache } from "../../runtime/cluster-cache.ts";
import { addWorkloadIndexes } from "../../workload-context/workload-indexes.ts";
import { type DrainOutcome, drainNode, setSchedulable } from "./drain-node.ts";

const namespace = "default";
const clock = new ManualClock(new Date());
let server: ApiServer;
let client: ClusterClient;
let running: RunningCache;

before(async () => {
  const authority = await createCertificateAuthority("test", 2);
  const tls = await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays: 1 });
  const storage = { kind: "memory" } as const;
  server = await startApiServer({ host: "127.0.0.1", port: 0, tls, storage, logger: silentLogger, clock });
  ({ client } = await server.createCluster({ name: "demo", clientCertificateAuthorities: [] }));
  running = startClusterCache(client, { clock, logger: silentLogger });
  addWorkloadIndexes(running.cache);
  await running.cache.synced();
});
after(async () => {
  await running?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** Drains the node after the cache has received all writes of the test. */
async function drain(node: KubeObject): Promise<DrainOutcome> {
  const { items } = await client.list(resources.pods);
  await eventually(() => {
    for (const pod of items)
      assert.equal(
        running.cache.informer(resources.pods).get(pod.metadata)?.metadata.resourceVersion,
        pod.metadata.resourceVersion,
      );
    assert.equal(running.cache.informer(resources.pods).size, items.length);
  });
  return drainNode({ client, cache: running.cache }, node);
}

/** Creates a running pod with a finalizer on the node. The pod terminates only after the finalizer is removed. */
async function runningPod(nodeName: string, name: string): Promise<void> {
  const spec = {
    nodeName,
    tolerations: [{ operator: "Exists" }],
    automountServiceAccountToken: false,
    containers: [{ name: "c", image: "example.com/c:1" }],
  };
  const pod = await client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name, finalizers: ["example.com/ending"] },
    spec,
  });
  await client.updateStatus(resources.pods, { ...pod, status: { phase: "Running" } });
}

const isLeaving = async (name: string) =>
  (await client.get(resources.pods, { namespace, name })).metadata.deletionTimestamp !== undefined;

test("a drain waits for pods created before the cordon, not for later ones", async () => {
  const created = await client.create(resources.nodes, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "worker" },
  });
  await runningPod("worker", "early");
  const cordoned = await setSchedulable(client, created, false);
  const taint = {
    key: "node.kubernetes.io/unschedulable",
    effect: "NoSchedule",
    timeAdded: timestamp(clock.now()),
  };
  const node = await client.update(resources.nodes, {
    ...cordoned,
    spec: { unschedulable: true, taints: [taint] },
  });
  assert.deepEqual(await drain(node), { kind: "leaving", pods: 1 });
  assert.equal(await isLeaving("early"), true);

  await clock.advance(2_000);
  await runningPod("worker", "late");
  assert.deepEqual(await drain(node), { kind: "leaving", pods: 1 });
  await client.mergePatch(resources.pods, { namespace, name: "early" }, { metadata: { finalizers: [] } });
  assert.deepEqual(await drain(node), { kind: "drained" });
  assert.equal(await isLeaving("late"), false);
});
