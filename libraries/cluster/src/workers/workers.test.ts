import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { resources } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { minimumWorkerNodesReady } from "./await-workers.ts";
import { scalingEnded } from "./scale-workers.ts";
import { rewriteWorkerProfilesStatus } from "./worker-profiles-status.ts";

const { signal } = new AbortController();

test("a quota that leaves too few workers is reported immediately, one that leaves enough is ignored", async () => {
  const { context, kube } = memoryCluster();
  const machine = (name: string, status: object) =>
    kube.put(resources.machines, { metadata: { namespace: "openshift-machine-api", name }, status });
  const failed = { phase: "Failed", errorMessage: "QuotaExceeded: no cores left" };
  machine("a", { phase: "Running" });
  machine("b", { phase: "Provisioning" });
  machine("c", { phase: "Failed", errorMessage: "InvalidParameter: no such subnet" });
  assert.equal(await minimumWorkerNodesReady(context), false);
  machine("c", failed);
  const told = { code: "QuotaExceeded", target: "properties.workerProfiles[0].VMSize" };
  await assert.rejects(minimumWorkerNodesReady(context), (error) => {
    assert.ok(error instanceof CloudError);
    assert.deepEqual([error.status, error.body], [500, { ...told, message: failed.errorMessage }]);
    return true;
  });
  machine("b", { phase: "Running" });
  for (const name of ["a", "b"]) {
    kube.put(resources.nodes, {
      metadata: { name },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
  }
  assert.equal(await minimumWorkerNodesReady(context), true);
});

test("a scaling waits for failed machines that are too many, and fails for those that are wanted", async () => {
  const { context, kube } = memoryCluster({ scaledWorkerCount: 1 });
  const namespace = "openshift-machine-api";
  const labels = { "machine.openshift.io/cluster-api-machine-role": "worker" };
  const ask = (replicas: number) =>
    kube.put(resources.machineSets, {
      metadata: { namespace, name: "workers" },
      spec: { replicas, template: { metadata: { labels } } },
    });
  const machine = (name: string, status: object) =>
    kube.put(resources.machines, { metadata: { namespace, name }, status });
  machine("a", { phase: "Running" });
  machine("b", { phase: "Failed", errorMessage: "QuotaExceeded: no cores left" });
  kube.put(resources.nodes, {
    metadata: { name: "a" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
  ask(2);
  await assert.rejects(scalingEnded(context), /QuotaExceeded/);
  ask(1);
  assert.equal(await scalingEnded(context), false);
  await kube.delete(resources.machines, { namespace, name: "b" }, signal);
  assert.equal(await scalingEnded(context), true);
});

test("maintenance replaces stored profiles of MachineSets that no longer exist, and scales nothing", async () => {
  const [stale] = newCluster({ name: "demo" }).properties.workerProfiles;
  assert.ok(stale);
  for (const scaled of [undefined, 7]) {
    const { context, kube } = memoryCluster({
      workerProfilesStatus: [{ ...stale, name: "deleted", count: 3 }],
      ...(scaled === undefined ? {} : { scaledWorkerCount: scaled }),
    });
    const labels = { "machine.openshift.io/cluster-api-machine-role": "worker" };
    kube.put(resources.machineSets, {
      metadata: { namespace: "openshift-machine-api", name: "present" },
      spec: { replicas: 2, template: { metadata: { labels } } },
    });
    await rewriteWorkerProfilesStatus(context);
    const { workerProfilesStatus = [], scaledWorkerCount } = context.cluster.properties;
    assert.deepEqual(
      workerProfilesStatus.map(({ name, count }) => [name, count]),
      [["present", 2]],
    );
    assert.equal(scaledWorkerCount, scaled ?? 3);
  }
});
