import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { resources } from "./base/resources.ts";
import { hasSettled } from "./controllers/cluster-operators/plan.ts";
import { defaultTimings } from "./settings/timings.ts";
import {
  assertComplete,
  installed,
  machinesByPhase,
  nodesByState,
  someWorkerMachine,
} from "./testing/installed-cluster.ts";
import { infraId, TestWorld } from "./testing/installed-world.ts";
import { completesInstallAfterKill, completesUpdateAfterKill } from "./testing/kill-stories.ts";

const machineSetKey = { namespace: "openshift-machine-api", name: `${infraId}-worker-eastus1` };

describe("a simulated cluster", { timeout: 900_000 }, () => {
  test("of six nodes is complete soon after its creation, with the default timings", async () => {
    await using world = await TestWorld.start({ timings: defaultTimings });
    await world.install();
    // The test has no fixed time limit, because the duration of an installation depends on the machine (three seconds if idle).
    // `make bench` measures this duration.
    await eventually(() => assertComplete(world.client, 3));
  });

  test("stays incomplete if its bootstrap machine is deleted too early", async () => {
    // Machines boot slowly in this test, so that the bootstrap machine is deleted before the masters boot.
    await using world = await TestWorld.start({ timings: { nodeBootMs: 3_000 } });
    await world.install();
    await eventually(() => world.client.get(resources.clusterVersions, { name: "version" }));
    await world.deleteMachine(`${infraId}-bootstrap`);
    await eventually(async () => assert.deepEqual(await nodesByState(world.client), { "master True": 3 }));
    const assertUnavailable = async () =>
      assert.deepEqual(
        (await world.client.list(resources.clusterOperators)).items.map((operator) =>
          conditionStatus(operator, "Available"),
        ),
        Array.from({ length: 34 }, () => "False"),
      );
    await eventually(assertUnavailable);
    await delay(200);
    await assertUnavailable();
    assert.equal((await world.machineNames()).length, 3);
  });
});

/** Scales the workers and waits until they are ready. */
async function scaleTo(client: ClusterClient, replicas: number): Promise<void> {
  await client.mergePatch(resources.machineSets, machineSetKey, { spec: { replicas } });
  await eventually(() => assertComplete(client, replicas));
}

describe("one simulated cluster, from its installation to its deletion", { timeout: 900_000 }, () => {
  let world: TestWorld;
  before(async () => {
    world = await installed();
  });
  after(() => world?.[Symbol.asyncDispose]());

  test("is created by a bootstrap machine and three masters and completes with workers of its MachineSets", async () => {
    const { client } = world;
    const operators = (await client.list(resources.clusterOperators)).items;
    assert.equal(operators.length, 34);
    assert.ok(operators.every((operator) => hasSettled(operator, "4.19.24")));
    const record = await client.get(resources.configMaps, { namespace: "kube-system", name: "bootstrap" });
    assert.equal(valueAt(record, "data", "status"), "complete");
    const machineSet = await client.get(resources.machineSets, machineSetKey);
    assert.deepEqual(
      ["replicas", "readyReplicas", "availableReplicas"].map((member) =>
        numberAt(machineSet, "status", member),
      ),
      [3, 3, 3],
    );
    const router = await client.get(resources.ingressControllers, {
      namespace: "openshift-ingress-operator",
      name: "default",
    });
    assert.equal(conditionStatus(router, "Available"), "True");
    const console = await eventually(async () => {
      const found = await client.get(resources.consoleConfigs, { name: "cluster" });
      assert.ok(valueAt(found, "status", "consoleURL"));
      return found;
    });
    assert.equal(
      stringAt(console, "status", "consoleURL"),
      "https://console-openshift-console.apps.demo.eastus.keelson.localhost",
    );
    assert.equal((await world.machineNames()).length, 7);
  });

  test("writes nothing while idle, even if its controllers are triggered", async () => {
    const { client } = world;
    // Excludes the kind Cluster of the ARO operator because its CRD does not exist in this test.
    const { aroClusters: _, ...served } = resources;
    const watched = Object.values(served);
    const versions = async () => {
      const lists = await Promise.all(watched.map((resource) => client.list(resource)));
      return lists
        .flatMap(({ items }) => items)
        .filter(({ metadata }) => metadata.name !== `${infraId}-master-0`)
        .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
    };
    const node = { name: `${infraId}-master-0` };
    // On a busy machine, controllers may still process earlier events. In this case, the check is repeated.
    await eventually(async () => {
      const before = await versions();
      await client.mergePatch(resources.nodes, node, {
        metadata: { annotations: { touched: randomUUID() } },
      });
      await delay(200);
      assert.deepEqual(await versions(), before);
    });
  });

  test("scales: machines, nodes and virtual machines follow the MachineSet up and down", async () => {
    const scale = async (replicas: number) => {
      await scaleTo(world.client, replicas);
      const present = (await world.machineNames()).filter((name) => name.includes("-worker-"));
      const nodes = (await world.client.list(resources.nodes)).items.map(({ metadata }) => metadata.name);
      assert.deepEqual(
        present,
        nodes.filter((name) => name.includes("-worker-")),
      );
    };
    await scale(5);
    await scale(2);
    for await (const { name } of world.azure.network.networkInterfaces.list("aro-demo"))
      assert.ok(
        (await world.machineNames()).some((machine) => name === `${machine}-nic`),
        `${name} is left over`,
      );
  });

  test("keeps running without its bootstrap machine after the bootstrap", async () => {
    await world.deleteMachine(`${infraId}-bootstrap`);
    await scaleTo(world.client, 4);
  });

  test("deletes the marked machine when it scales down", async () => {
    await scaleTo(world.client, 3);
    const first = await someWorkerMachine(world.client);
    await world.client.mergePatch(resources.machines, first.metadata, {
      metadata: { annotations: { "machine.openshift.io/delete-machine": "true" } },
    });
    await scaleTo(world.client, 2);
    assert.equal(await world.client.find(resources.machines, first.metadata), undefined);
  });

  test("replaces a deleted worker machine", async () => {
    await scaleTo(world.client, 3);
    const first = await someWorkerMachine(world.client);
    await world.client.delete(resources.machines, first.metadata);
    await eventually(async () => {
      assert.equal(await world.client.find(resources.machines, first.metadata), undefined);
      await assertComplete(world.client, 3);
    });
    assert.ok(!(await world.machineNames()).includes(first.metadata.name));
  });

  test("has a silent node while a master is stopped, and a ready one when it is started again", async () => {
    await scaleTo(world.client, 3);
    await world.stopMachine(`${infraId}-master-1`);
    await eventually(async () =>
      assert.deepEqual(await nodesByState(world.client), {
        "master True": 2,
        "master Unknown": 1,
        "worker True": 3,
      }),
    );
    await world.startMachine(`${infraId}-master-1`);
    await eventually(() => assertComplete(world.client, 3));
  });

  test("marks a machine failed after its virtual machine was deleted in Azure, and removes its node", async () => {
    await scaleTo(world.client, 3);
    const [worker] = (await world.machineNames()).filter((name) => name.includes("-worker-"));
    assert.ok(worker);
    await world.deleteMachine(worker);
    await eventually(async () => {
      assert.deepEqual(await machinesByPhase(world.client), { Running: 5, Failed: 1 });
      assert.deepEqual(await nodesByState(world.client), { "master True": 3, "worker True": 2 });
    });
    const machines = (await world.client.list(resources.machines)).items;
    const failed = machines.find((machine) => stringAt(machine, "status", "phase") === "Failed");
    assert.ok(failed);
    await world.client.delete(resources.machines, failed.metadata);
    await eventually(() => assertComplete(world.client, 3));
  });

  test("runs a Deployment's pods on fitting nodes and reports it available", async () => {
    const { client } = world;
    const deployment: KubeObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "default", name: "web" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: {
            containers: [{ name: "web", image: "example.com/web:1" }],
            nodeSelector: { "node-role.kubernetes.io/worker": "" },
          },
        },
      },
    };
    await client.create(resources.deployments, deployment);
    const available = (replicas: number) =>
      eventually(async () => {
        const found = await client.get(resources.deployments, { namespace: "default", name: "web" });
        assert.ok(found.metadata.generation);
        assert.equal(numberAt(found, "status", "observedGeneration"), found.metadata.generation);
        assert.equal(numberAt(found, "status", "availableReplicas"), replicas);
        assert.equal(numberAt(found, "status", "updatedReplicas"), replicas);
        assert.equal(numberAt(found, "status", "replicas"), replicas);
      });
    await available(3);
    const pods = (await client.list(resources.pods, { namespace: "default" })).items;
    assert.equal(new Set(pods.map((pod) => stringAt(pod, "spec", "nodeName"))).size, 3);
    assert.equal(new Set(pods.map((pod) => stringAt(pod, "status", "podIP"))).size, 3);
    await client.mergePatch(resources.deployments, deployment.metadata, {
      spec: {
        replicas: 2,
        template: { spec: { containers: [{ name: "web", image: "example.com/web:2" }] } },
      },
    });
    await available(2);
    const updated = (await client.list(resources.pods, { namespace: "default" })).items;
    assert.deepEqual(
      updated.map((pod) => stringAt(pod, "spec", "containers", 0, "image")),
      ["example.com/web:2", "example.com/web:2"],
    );
    await client.delete(resources.deployments, deployment.metadata);
    await eventually(async () =>
      assert.equal((await client.list(resources.pods, { namespace: "default" })).items.length, 0),
    );
  });

  test("is updated to the version in ClusterVersion", async () => {
    await world.client.mergePatch(
      resources.clusterVersions,
      { name: "version" },
      { spec: { desiredUpdate: { version: "4.19.25" } } },
    );
    await eventually(async () => {
      const version = await world.client.get(resources.clusterVersions, { name: "version" });
      assert.deepEqual(
        [0, 1].map((index) => [
          stringAt(version, "status", "history", index, "version"),
          stringAt(version, "status", "history", index, "state"),
        ]),
        [
          ["4.19.25", "Completed"],
          ["4.19.24", "Completed"],
        ],
      );
    });
  });

  test("fails a machine with a size that Azure rejects, with the error message of Azure", async () => {
    await scaleTo(world.client, 3);
    const machineSet = await world.client.get(resources.machineSets, machineSetKey);
    const template = JSON.parse(JSON.stringify(valueAt(machineSet, "spec", "template")));
    template.spec.providerSpec.value.vmSize = "Nonsense";
    await world.client.mergePatch(resources.machineSets, machineSetKey, { spec: { replicas: 4, template } });
    await eventually(async () => {
      const failed = (await world.client.list(resources.machines)).items.find(
        (machine) => stringAt(machine, "status", "phase") === "Failed",
      );
      assert.equal(stringAt(failed, "status", "errorReason"), "InvalidConfiguration");
      assert.match(stringAt(failed, "status", "errorMessage") ?? "", /vmSize/);
    });
  });

  test("is deleted with its last machine", async () => {
    assert.deepEqual(world.clusterNames, [infraId]);
    for (const name of await world.machineNames()) await world.deleteMachine(name);
    await eventually(() => assert.deepEqual(world.clusterNames, []));
  });
});

// The long test simulated-clusters.long-test.ts kills the process at more points in time.
describe("a simulated cluster over a restart", { timeout: 900_000 }, () => {
  test("completes with no machine doubled after kill -9 at 120 ms", () => completesInstallAfterKill(120));

  test("completes an update after kill -9 at 400 ms, with all machines preserved", () =>
    completesUpdateAfterKill(400));

  test("is deleted if its machines were deleted while the process was down", async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), "sim-openshift-"));
    const storage = { kind: "file", path: join(directory.path, "clusters.db") } as const;
    await using world = await installed({ storage, workers: 2 });
    await world.sleep();
    for (const name of await world.machineNames()) await world.deleteMachine(name);
    await world.wake();
    await eventually(() => assert.deepEqual(world.clusterNames, []));
  });
});
