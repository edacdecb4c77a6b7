import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { conditionOf } from "./base/conditions.ts";
import { resources } from "./base/resources.ts";
import { configNames, nodeConfigOf } from "./controllers/machine-configs/names.ts";
import { assertPoolsUpdated, installed } from "./testing/installed-cluster.ts";
import type { TestWorld } from "./testing/installed-world.ts";

/** Reboot duration in milliseconds. It is long enough for a watch to see every node as not ready, even on a busy machine. */
const visible = { rebootMs: 500 };

function machineConfig(name: string, role: string, spec: object = {}): KubeObject {
  const contents = { source: `data:,${name}` };
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfig",
    metadata: { name, labels: { [configNames.role]: role } },
    spec: {
      config: {
        ignition: { version: "3.2.0" },
        storage: { files: [{ path: `/etc/${name}`, mode: 420, contents }] },
      },
      ...spec,
    },
  };
}

async function pool(client: ClusterClient, name = "worker"): Promise<KubeObject> {
  return client.get(resources.machineConfigPools, { name });
}

/** Waits until the pool has a configuration with a name other than `before`. Returns the name of the new configuration. */
async function movedFrom(client: ClusterClient, before: string, name = "worker"): Promise<string> {
  return eventually(async () => {
    const now = await pool(client, name);
    const config = stringAt(now, "status", "configuration", "name") ?? "";
    assert.notEqual(config, before);
    assert.equal(conditionStatus(now, "Updated"), "True");
    return config;
  });
}

const configOf = async (client: ClusterClient, name = "worker") =>
  stringAt(await pool(client, name), "status", "configuration", "name") ?? "";

/** Records the maximum number of unavailable workers until `stop` is called. */
function watchWorkers(client: ClusterClient) {
  const stopping = new AbortController();
  const out = new Set<string>();
  const seen = { most: 0, rebooted: new Set<string>(), states: new Set<string>() };
  const watching = (async () => {
    for await (const event of client.watch(resources.nodes, {}, stopping.signal)) {
      if (event.type === "BOOKMARK") continue;
      const { name, labels } = event.object.metadata;
      if (!("node-role.kubernetes.io/worker" in (labels ?? {}))) continue;
      const ready = conditionStatus(event.object, "Ready") === "True";
      if (!ready) seen.rebooted.add(name);
      seen.states.add(nodeConfigOf(event.object).state ?? "");
      if (ready && valueAt(event.object, "spec", "unschedulable") !== true) out.delete(name);
      else out.add(name);
      seen.most = Math.max(seen.most, out.size);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return seen;
    },
  };
}

describe("machine configuration", { timeout: 900_000 }, () => {
  describe("of a cluster of three workers", () => {
    let world: TestWorld;
    before(async () => {
      world = await installed({ timings: visible });
    });
    after(() => world?.[Symbol.asyncDispose]());

    test("a change rolls through all workers one at a time: cordon, drain, reboot, back", async () => {
      const { client } = world;
      await eventually(() => assertPoolsUpdated(client));
      const [before, masters] = [await configOf(client), await configOf(client, "master")];
      assert.match(before, /^rendered-worker-[0-9a-f]{32}$/);
      const boots = new Map(
        (await client.list(resources.nodes)).items.map((node) => [
          node.metadata.name,
          stringAt(node, "status", "nodeInfo", "bootID"),
        ]),
      );
      const watching = watchWorkers(client);
      await client.create(resources.machineConfigs, machineConfig("99-worker-motd", "worker"));
      const config = await movedFrom(client, before);
      const seen = await watching.stop();
      assert.equal(seen.most, 1);
      assert.equal(seen.rebooted.size, 3);
      for (const state of ["Working", "Rebooting", "Done"]) assert.ok(seen.states.has(state), state);
      for (const node of (await client.list(resources.nodes)).items) {
        const { current, desired, state } = nodeConfigOf(node);
        const isWorker = "node-role.kubernetes.io/worker" in (node.metadata.labels ?? {});
        const wanted = isWorker ? config : masters;
        assert.deepEqual([current, desired, state], [wanted, wanted, "Done"]);
        assert.equal(valueAt(node, "spec", "unschedulable"), undefined);
        const sameBoot = boots.get(node.metadata.name) === stringAt(node, "status", "nodeInfo", "bootID");
        assert.equal(sameBoot, !isWorker);
      }
      const rendered = await client.get(resources.machineConfigs, { name: config });
      assert.ok(
        listAt(rendered, "spec", "config", "storage", "files").some(
          (file) => stringAt(file, "path") === "/etc/99-worker-motd",
        ),
      );
      const status = (await pool(client)).status;
      assert.partialDeepStrictEqual(status, {
        machineCount: 3,
        updatedMachineCount: 3,
        readyMachineCount: 3,
        unavailableMachineCount: 0,
        degradedMachineCount: 0,
      });
      await client.delete(resources.machineConfigs, { name: "99-worker-motd" });
      assert.equal(await movedFrom(client, config), before);
    });

    test("at most maxUnavailable workers are updated at a time, and a paused pool is not", async () => {
      const { client } = world;
      await eventually(() => assertPoolsUpdated(client));
      const before = await configOf(client);
      const key = { name: "worker" };
      await client.mergePatch(resources.machineConfigPools, key, {
        spec: { maxUnavailable: "67%", paused: true },
      });
      await client.create(
        resources.machineConfigs,
        machineConfig("99-worker-args", "worker", { kernelArguments: ["quiet"] }),
      );
      await eventually(async () => {
        const paused = conditionOf(await pool(client), "Updating");
        assert.equal(paused.status, "False");
        assert.match(
          paused.message ?? "",
          /^Pool is paused; will not update to MachineConfig rendered-worker-/,
        );
      });
      assert.equal(await configOf(client), before);
      const watching = watchWorkers(client);
      await client.mergePatch(resources.machineConfigPools, key, { spec: { paused: false } });
      const config = await movedFrom(client, before);
      assert.equal((await watching.stop()).most, 2);
      const rendered = await client.get(resources.machineConfigs, { name: config });
      assert.deepEqual(valueAt(rendered, "spec", "kernelArguments"), ["quiet"]);
    });

    test("a custom pool adopts workers, with its own configs on top of theirs", async () => {
      const { client } = world;
      await eventually(() => assertPoolsUpdated(client));
      const [worker] = (
        await client.list(resources.nodes, { labelSelector: "node-role.kubernetes.io/worker" })
      ).items;
      assert.ok(worker);
      await client.create(resources.machineConfigPools, {
        apiVersion: "machineconfiguration.openshift.io/v1",
        kind: "MachineConfigPool",
        metadata: { name: "infra" },
        spec: {
          machineConfigSelector: {
            matchExpressions: [{ key: configNames.role, operator: "In", values: ["worker", "infra"] }],
          },
          nodeSelector: { matchLabels: { "node-role.kubernetes.io/infra": "" } },
        },
      });
      await client.create(resources.machineConfigs, machineConfig("50-infra", "infra"));
      await client.mergePatch(resources.nodes, worker.metadata, {
        metadata: { labels: { "node-role.kubernetes.io/infra": "" } },
      });
      await eventually(async () => {
        const infra = await pool(client, "infra");
        assert.equal(conditionStatus(infra, "Updated"), "True");
        assert.equal(numberAt(infra, "status", "machineCount"), 1);
        assert.equal(numberAt(await pool(client), "status", "machineCount"), 2);
        const node = await client.get(resources.nodes, worker.metadata);
        assert.match(nodeConfigOf(node).current ?? "", /^rendered-infra-/);
      });
      const sources = listAt(await pool(client, "infra"), "status", "configuration", "source").map((source) =>
        stringAt(source, "name"),
      );
      assert.ok(sources.includes("50-infra") && sources.includes("00-worker"));
    });
  });

  describe("of a cluster of two workers", () => {
    let world: TestWorld;
    before(async () => {
      world = await installed({ workers: 2 });
    });
    after(() => world?.[Symbol.asyncDispose]());

    test("a config that cannot be rendered or applied degrades its pool until it is deleted", async () => {
      const { client } = world;
      await eventually(() => assertPoolsUpdated(client));
      const before = await configOf(client);
      const broken = machineConfig("99-worker-broken", "worker");
      await client.create(resources.machineConfigs, {
        ...broken,
        spec: { config: { ignition: { version: "9.9.9" } } },
      });
      await eventually(async () => {
        const found = await pool(client);
        assert.equal(conditionStatus(found, "Degraded"), "True");
        assert.match(conditionOf(found, "RenderDegraded").message ?? "", /99-worker-broken: unknown version/);
      });
      await client.delete(resources.machineConfigs, { name: "99-worker-broken" });
      await eventually(() => assertPoolsUpdated(client));
      const users = [{ name: "intruder" }];
      await client.create(resources.machineConfigs, {
        ...machineConfig("99-worker-user", "worker"),
        spec: { config: { ignition: { version: "3.2.0" }, passwd: { users } } },
      });
      await eventually(async () => {
        const found = await pool(client);
        assert.equal(numberAt(found, "status", "degradedMachineCount"), 1);
        assert.equal(
          conditionOf(found, "NodeDegraded").reason,
          "1 nodes are reporting degraded status on sync",
        );
        assert.match(conditionOf(found, "NodeDegraded").message ?? "", /is reporting: ".*non-core user"/);
      });
      await client.delete(resources.machineConfigs, { name: "99-worker-user" });
      await eventually(async () => {
        await assertPoolsUpdated(client);
        assert.equal(await configOf(client), before);
      });
    });

    test("a KubeletConfig creates a MachineConfig in every selected pool, which is deleted with it", async () => {
      const { client } = world;
      await eventually(() => assertPoolsUpdated(client));
      const [workers, masters] = [await configOf(client), await configOf(client, "master")];
      await client.create(resources.kubeletConfigs, {
        apiVersion: "machineconfiguration.openshift.io/v1",
        kind: "KubeletConfig",
        metadata: { name: "dynamic-node" },
        spec: {
          autoSizingReserved: true,
          machineConfigPoolSelector: {
            matchExpressions: [{ key: "machineconfiguration.openshift.io/mco-built-in", operator: "Exists" }],
          },
        },
      });
      await movedFrom(client, workers);
      await movedFrom(client, masters, "master");
      const generated = await client.get(resources.machineConfigs, { name: "99-worker-generated-kubelet" });
      assert.equal(generated.metadata.ownerReferences?.[0]?.name, "dynamic-node");
      const found = await client.get(resources.kubeletConfigs, { name: "dynamic-node" });
      assert.equal(conditionStatus(found, "Success"), "True");
      assert.deepEqual(found.metadata.finalizers?.toSorted(), [
        "99-master-generated-kubelet",
        "99-worker-generated-kubelet",
      ]);
      await client.create(resources.kubeletConfigs, {
        apiVersion: "machineconfiguration.openshift.io/v1",
        kind: "KubeletConfig",
        metadata: { name: "second" },
        spec: {
          kubeletConfig: { maxPods: 500 },
          machineConfigPoolSelector: {
            matchLabels: { "pools.operator.machineconfiguration.openshift.io/worker": "" },
          },
        },
      });
      await eventually(() => client.get(resources.machineConfigs, { name: "99-worker-generated-kubelet-1" }));
      await client.delete(resources.kubeletConfigs, { name: "second" });
      await client.delete(resources.kubeletConfigs, { name: "dynamic-node" });
      await eventually(async () => {
        assert.equal(await client.find(resources.kubeletConfigs, { name: "dynamic-node" }), undefined);
        assert.equal(await configOf(client), workers);
        assert.equal(await configOf(client, "master"), masters);
        await assertPoolsUpdated(client);
      });
    });

    test("a KubeletConfig without a matching pool or with a forbidden field fails", async () => {
      const { client } = world;
      const failureOf = async (name: string, spec: object) => {
        await client.create(resources.kubeletConfigs, {
          apiVersion: "machineconfiguration.openshift.io/v1",
          kind: "KubeletConfig",
          metadata: { name },
          spec,
        });
        return eventually(async () => {
          const { message } = conditionOf(await client.get(resources.kubeletConfigs, { name }), "Failure");
          assert.ok(message);
          return message;
        });
      };
      assert.match(
        await failureOf("nowhere", { machineConfigPoolSelector: { matchLabels: { none: "such" } } }),
        /^Error: could not find any MachineConfigPool set for KubeletConfig nowhere$/,
      );
      const machineConfigPoolSelector = {
        matchLabels: { "pools.operator.machineconfiguration.openshift.io/worker": "" },
      };
      assert.match(
        await failureOf("forbidden", {
          machineConfigPoolSelector,
          kubeletConfig: { clusterDNS: ["10.0.0.1"] },
        }),
        /forbidden field clusterDNS/,
      );
    });

    test("a disruption budget delays the drain until it allows the eviction", async () => {
      const { client } = world;
      await eventually(() => assertPoolsUpdated(client));
      const before = await configOf(client);
      const labels = { app: "guarded" };
      await client.create(resources.deployments, {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { namespace: "default", name: "guarded" },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              containers: [{ name: "c", image: "example.com/guarded:1" }],
              nodeSelector: { "node-role.kubernetes.io/worker": "" },
            },
          },
        },
      });
      await eventually(async () => {
        const found = await client.get(resources.deployments, { namespace: "default", name: "guarded" });
        assert.equal(numberAt(found, "status", "availableReplicas"), 2);
      });
      const budgets = { group: "policy", version: "v1", resource: "poddisruptionbudgets" };
      await client.create(budgets, {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { namespace: "default", name: "guarded" },
        spec: { minAvailable: 2, selector: { matchLabels: labels } },
      });
      await client.create(resources.machineConfigs, machineConfig("99-worker-motd", "worker"));
      const stuck = await eventually(async () => {
        const node = (await client.list(resources.nodes)).items.find(
          (each) => nodeConfigOf(each).state === "Working" && valueAt(each, "spec", "unschedulable") === true,
        );
        assert.ok(node);
        return node.metadata.name;
      });
      const podsThere = async () =>
        (
          await client.list(resources.pods, { namespace: "default", labelSelector: "app=guarded" })
        ).items.filter((pod) => stringAt(pod, "spec", "nodeName") === stuck).length;
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 150);
      await promise;
      assert.ok((await podsThere()) > 0);
      assert.equal(await configOf(client), before);
      await client.mergePatch(
        budgets,
        { namespace: "default", name: "guarded" },
        { spec: { minAvailable: 1 } },
      );
      await movedFrom(client, before);
    });
  });
});
