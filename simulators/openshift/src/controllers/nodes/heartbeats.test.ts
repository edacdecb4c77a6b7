import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger, stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionOf } from "../../base/conditions.ts";
import { resources } from "../../base/resources.ts";
import { startTestCluster, startWorkloads } from "../../index.ts";
import { startClusterCache } from "../../runtime/cluster-cache.ts";
import { WorkloadContext } from "../../workload-context/workload-context.ts";
import { ensureNodes } from "../../workloads/plain-nodes.ts";
import { startHeartbeats } from "./heartbeats.ts";

const start = new Date("2026-01-01T00:00:00Z");

/** Starts the heartbeats of 25 nodes. The kubelet of the last node is silent. */
async function startNodes() {
  const parts = new AsyncDisposableStack();
  const cluster = parts.use(await startTestCluster());
  const clock = new ManualClock(start);
  const { client } = cluster;
  const names = Array.from({ length: 25 }, (_, index) => `node-${String(index).padStart(2, "0")}`);
  await ensureNodes(client, names, clock.now());
  const silent = names.at(-1) ?? "";
  const node = await client.get(resources.nodes, { name: silent });
  const conditions = [{ ...conditionOf(node, "Ready"), status: "Unknown" }];
  await client.updateStatus(resources.nodes, { ...node, status: { conditions } });
  const { cache } = parts.use(startClusterCache(client, { clock, logger: silentLogger }));
  const context = new WorkloadContext({ client, cache, clock, logger: silentLogger });
  context.informer(resources.nodes);
  await cache.synced();
  parts.use(startHeartbeats(context));
  const renewed = async () => {
    const { items } = await client.list(resources.leases, { namespace: "kube-node-lease" });
    return new Map(
      items.map((lease) => [lease.metadata.name, Date.parse(stringAt(lease, "spec", "renewTime") ?? "")]),
    );
  };
  /** Advances the clock in steps that are shorter than the interval of a group. Waits for the next sleep after each step. */
  const advance = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await eventually(() => assert.equal(clock.sleeping, 1));
      await clock.advance(1_000);
    }
    await eventually(() => assert.equal(clock.sleeping, 1));
  };
  return {
    client,
    clock,
    names,
    silent,
    renewed,
    advance,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

test("a running kubelet renews its Lease every ten seconds, a silent one does not", async () => {
  await using nodes = await startNodes();
  const { clock, names, silent, renewed, advance } = nodes;
  await advance(12_000);
  const alive = names.filter((name) => name !== silent);
  assert.deepEqual([...(await renewed()).keys()], alive);
  await advance(60_000);
  for (const [name, at] of await renewed())
    assert.ok(clock.now().getTime() - at <= 12_000, `${name} was renewed at ${new Date(at).toISOString()}`);
});

test("late timers do not delay later renewals", async () => {
  await using nodes = await startNodes();
  const { clock, renewed } = nodes;
  const times = new Set<number | undefined>();
  for (let second = 0; second < 120; second++) {
    await eventually(() => assert.equal(clock.sleeping, 1));
    // A timer that is due in these 400 ms fires at their end.
    clock.stall(400);
    await clock.advance(600);
    await eventually(() => assert.equal(clock.sleeping, 1));
    times.add((await renewed()).get("node-00"));
  }
  times.delete(undefined);
  assert.equal(times.size, 12);
});

test("a deleted Lease is created again with its node as owner", async () => {
  await using nodes = await startNodes();
  const { client, renewed, advance } = nodes;
  await advance(12_000);
  const key = { namespace: "kube-node-lease", name: "node-00" };
  await client.delete(resources.leases, key);
  await advance(12_000);
  assert.ok((await renewed()).has("node-00"));
  const { metadata } = await client.get(resources.leases, key);
  assert.equal(metadata.ownerReferences?.[0]?.name, "node-00");
});

test("an unchanged node status is reported every five minutes, give or take half", async () => {
  await using nodes = await startNodes();
  const { client, clock, names, silent, advance } = nodes;
  const ages = async () => {
    const { items } = await client.list(resources.nodes);
    return new Map(
      items.map((node) => {
        const heartbeat = Reflect.get(conditionOf(node, "Ready"), "lastHeartbeatTime");
        return [node.metadata.name, clock.now().getTime() - Date.parse(heartbeat)] as const;
      }),
    );
  };
  await advance(140_000);
  assert.deepEqual(new Set((await ages()).values()), new Set([140_000]));
  await advance(330_000);
  const later = await ages();
  for (const name of names)
    if (name !== silent) assert.ok((later.get(name) ?? 0) < 470_000, `${name}: ${later.get(name)}`);
  assert.equal(later.get(silent), 470_000);
});

test("clients see a renewed Lease of each node of startWorkloads", async () => {
  await using cluster = await startTestCluster();
  const { client } = cluster;
  const clock = new ManualClock(start);
  await using _workloads = await startWorkloads(cluster.cluster, { nodes: 2, clock, logger: silentLogger });
  const times = async () => {
    await clock.advance(10_000);
    const { items } = await client.list(resources.leases, { namespace: "kube-node-lease" });
    return items.map((lease) => stringAt(lease, "spec", "renewTime") ?? "");
  };
  const first = await eventually(async () => {
    const found = await times();
    assert.equal(found.length, 2);
    return found;
  });
  await eventually(async () => {
    for (const [index, time] of (await times()).entries()) assert.ok(time > (first[index] ?? ""));
  });
});
