import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ClusterClient } from "@keelson/apiserver";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { conditionOf } from "./base/conditions.ts";
import { resources } from "./base/resources.ts";
import {
  assertComplete,
  installed,
  machinesByPhase,
  someWorkerMachine,
} from "./testing/installed-cluster.ts";
import { infraId, type TestWorld } from "./testing/installed-world.ts";

const machineSetKey = { namespace: "openshift-machine-api", name: `${infraId}-worker-eastus1` };
const budgets = { group: "policy", version: "v1", resource: "poddisruptionbudgets" };

/** Creates a pod on the node. A disruption budget prevents its eviction. */
async function guardPod(client: ClusterClient, nodeName: string): Promise<void> {
  const labels = { app: "guarded" };
  await client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: "guarded", labels },
    spec: { nodeName, containers: [{ name: "c", image: "example.com/guarded:1" }] },
  });
  await client.create(budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { namespace: "default", name: "guarded" },
    spec: { maxUnavailable: 0, selector: { matchLabels: labels } },
  });
  await eventually(async () => {
    const pod = await client.get(resources.pods, { namespace: "default", name: "guarded" });
    assert.equal(conditionStatus(pod, "Ready"), "True");
  });
}

describe("machine-api of a cluster with two workers, which every test restores", {
  timeout: 900_000,
}, () => {
  let world: TestWorld;
  before(async () => {
    world = await installed({ workers: 2 });
  });
  after(() => world?.[Symbol.asyncDispose]());

  test("deleting a Machine deletes its virtual machine and Node, and its set creates a replacement", async () => {
    const { client } = world;
    const { metadata } = await someWorkerMachine(client);
    const node = await client.get(resources.nodes, { name: metadata.name });
    await client.delete(resources.machines, metadata);
    await eventually(async () => {
      assert.equal(await client.find(resources.machines, metadata), undefined);
      await assertComplete(client, 2);
    });
    assert.ok(!(await world.machineNames()).includes(metadata.name));
    const nodes = (await client.list(resources.nodes)).items;
    assert.ok(!nodes.some((each) => each.metadata.uid === node.metadata.uid));
    for (const machine of (await client.list(resources.machines)).items) {
      const name = stringAt(machine, "status", "nodeRef", "name") ?? "";
      const found = await client.get(resources.nodes, { name });
      assert.match(stringAt(found, "spec", "providerID") ?? "", /^azure:\/\/\/subscriptions\//);
      assert.equal(valueAt(found, "spec", "providerID"), valueAt(machine, "spec", "providerID"));
      assert.equal(
        found.metadata.annotations?.["machine.openshift.io/machine"],
        `openshift-machine-api/${machine.metadata.name}`,
      );
    }
  });

  test("a budget blocks a Machine's deletion, and excluding its node from draining unblocks it", async () => {
    const { client } = world;
    const { metadata } = await someWorkerMachine(client);
    await guardPod(client, metadata.name);
    await client.delete(resources.machines, metadata);
    await eventually(async () => {
      const machine = await client.get(resources.machines, metadata);
      assert.equal(stringAt(machine, "status", "phase"), "Deleting");
      assert.match(
        conditionOf(machine, "Drained").message ?? "",
        /would violate the pod's disruption budget/,
      );
    });
    const node = await client.get(resources.nodes, { name: metadata.name });
    assert.equal(valueAt(node, "spec", "unschedulable"), true);
    await client.mergePatch(resources.machines, metadata, {
      metadata: { annotations: { "machine.openshift.io/exclude-node-draining": "" } },
    });
    await eventually(async () => {
      assert.equal(await client.find(resources.machines, metadata), undefined);
      await assertComplete(client, 2);
    });
  });

  test("lifecycle hooks block a deletion before the drain and before the termination", async () => {
    const { client } = world;
    const { metadata } = await someWorkerMachine(client);
    const hook = (name: string) => ({ name, owner: "test" });
    await client.mergePatch(resources.machines, metadata, {
      spec: { lifecycleHooks: { preDrain: [hook("evacuate")], preTerminate: [hook("deregister")] } },
    });
    await client.delete(resources.machines, metadata);
    await eventually(async () => {
      const machine = await client.get(resources.machines, metadata);
      assert.equal(conditionOf(machine, "Drainable").message, "Drain currently blocked by: [test/evacuate]");
    });
    await client.mergePatch(resources.machines, metadata, { spec: { lifecycleHooks: { preDrain: [] } } });
    await eventually(async () => {
      assert.equal(conditionStatus(await client.get(resources.machines, metadata), "Drained"), "True");
    });
    assert.ok((await world.machineNames()).includes(metadata.name));
    await client.mergePatch(resources.machines, metadata, { spec: { lifecycleHooks: { preTerminate: [] } } });
    await eventually(async () => {
      assert.equal(await client.find(resources.machines, metadata), undefined);
      await assertComplete(client, 2);
    });
  });

  test("a health check replaces a worker with a silent kubelet", async () => {
    const { client } = world;
    const check = { namespace: "openshift-machine-api", name: "check" };
    await client.create(resources.machineHealthChecks, {
      apiVersion: "machine.openshift.io/v1beta1",
      kind: "MachineHealthCheck",
      metadata: check,
      spec: {
        selector: { matchLabels: { "machine.openshift.io/cluster-api-machine-role": "worker" } },
        unhealthyConditions: [{ type: "Ready", status: "Unknown", timeout: "0s" }],
        maxUnhealthy: 1,
      },
    });
    const { metadata } = await someWorkerMachine(client);
    const fault = world.simulated.faults.set({ kind: "node-not-ready", parameters: { node: metadata.name } });
    await eventually(async () => {
      assert.equal(await client.find(resources.machines, metadata), undefined);
      await assertComplete(client, 2);
      const found = await client.get(resources.machineHealthChecks, check);
      assert.deepEqual(
        ["expectedMachines", "currentHealthy", "remediationsAllowed"].map((member) =>
          numberAt(found, "status", member),
        ),
        [2, 2, 1],
      );
    });
    world.simulated.faults.clear(fault.id);
    await client.delete(resources.machineHealthChecks, check);
  });

  test("the control plane's machine set is inactive and is recreated after its deletion", async () => {
    const { client } = world;
    const key = { namespace: "openshift-machine-api", name: "cluster" };
    const set = await eventually(async () => {
      const found = await client.get(resources.controlPlaneMachineSets, key);
      assert.equal(stringAt(found, "spec", "state"), "Inactive");
      return found;
    });
    // Creates an active set without the operator's finalizer, as an installer creates it.
    await client.mergePatch(resources.controlPlaneMachineSets, key, {
      metadata: { finalizers: [] },
      spec: { state: "Active" },
    });
    await eventually(async () => {
      const active = await client.get(resources.controlPlaneMachineSets, key);
      assert.deepEqual(
        ["replicas", "readyReplicas", "updatedReplicas"].map((member) => numberAt(active, "status", member)),
        [3, 3, 3],
      );
      const master = await client.get(resources.machines, { ...key, name: `${infraId}-master-0` });
      assert.equal(master.metadata.ownerReferences?.[0]?.uid, set.metadata.uid);
    });
    await client.delete(resources.controlPlaneMachineSets, key);
    await eventually(async () => {
      const again = await client.get(resources.controlPlaneMachineSets, key);
      assert.notEqual(again.metadata.uid, set.metadata.uid);
      assert.equal(stringAt(again, "spec", "state"), "Inactive");
    });
    await assertComplete(client, 2);
  });

  test("a Machine with an injected creation failure reports the reason, and its set waits for its deletion", async () => {
    const { client } = world;
    const { faults } = world.simulated;
    faults.set({
      kind: "machine-create",
      parameters: { reason: "InsufficientResources", message: "QuotaExceeded: no cores left" },
    });
    await client.mergePatch(resources.machineSets, machineSetKey, { spec: { replicas: 3 } });
    const failed = await eventually(async () => {
      assert.deepEqual(await machinesByPhase(client), { Running: 5, Failed: 1 });
      const machines = (await client.list(resources.machines)).items;
      return machines.find((machine) => stringAt(machine, "status", "phase") === "Failed");
    });
    assert.equal(stringAt(failed, "status", "errorReason"), "InsufficientResources");
    assert.equal(stringAt(failed, "status", "errorMessage"), "QuotaExceeded: no cores left");
    faults.clear();
    assert.ok(failed);
    await client.delete(resources.machines, failed.metadata);
    await eventually(() => assertComplete(client, 3));
  });
});
