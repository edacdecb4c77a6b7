/** Tests limits of the README that are not tested elsewhere. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listAt, stringAt, systemClock, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "./apis/testing/api-world.ts";
import { resources } from "./base/resources.ts";
import { controlPlaneStatus } from "./controllers/control-plane-machine-sets/plan.ts";
import { silentLogger, startTestCluster, startWorkloads } from "./index.ts";
import { LogBuffer } from "./kubelet/containers/log-buffer.ts";

let world: ApiWorld;
before(async () => {
  world = await ApiWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

async function stored(path: string, body: object): Promise<unknown> {
  const response = await world.call("POST", path, { body });
  assert.equal(response.status, 201, stringAt(response.body, "message"));
  return response.body;
}

async function resourceNames(group: string): Promise<readonly string[]> {
  const { body } = await world.call("GET", `/apis/${group}/v1`);
  return listAt(body, "resources").map((each) => stringAt(each, "name") ?? "");
}

test("autoscalers are stored without effect", async () => {
  const group = "/apis/autoscaling.openshift.io";
  await stored(`${group}/v1/clusterautoscalers`, { metadata: { name: "default" }, spec: {} });
  const target = { apiVersion: "machine.openshift.io/v1beta1", kind: "MachineSet", name: "w" };
  const spec = { minReplicas: 5, maxReplicas: 6, scaleTargetRef: target };
  const made = await stored(`${group}/v1beta1/namespaces/default/machineautoscalers`, {
    metadata: { name: "w" },
    spec,
  });
  assert.equal(valueAt(made, "spec", "minReplicas"), 5);
  assert.equal(valueAt(made, "status"), undefined);
});

test("MachineConfigNodes are stored without effect", async () => {
  const spec = { node: { name: "n" }, pool: { name: "worker" }, configVersion: { desired: "rendered-1" } };
  const made = await stored("/apis/machineconfiguration.openshift.io/v1/machineconfignodes", {
    metadata: { name: "n" },
    spec,
  });
  assert.equal(valueAt(made, "status"), undefined);
});

test("kinds from other projects accept any field", async () => {
  const monitor = await stored("/apis/monitoring.coreos.com/v1/namespaces/default/servicemonitors", {
    metadata: { name: "m" },
    spec: { invented: [{ deep: true }] },
  });
  assert.deepEqual(valueAt(monitor, "spec"), { invented: [{ deep: true }] });
});

test("DeploymentConfigs are stored but have no subresources that run them", async () => {
  const apps = await resourceNames("apps.openshift.io");
  assert.ok(apps.includes("deploymentconfigs"));
  const unsupported = /\/(instantiate|rollback|log)$/;
  assert.deepEqual(
    apps.filter((name) => unsupported.test(name)),
    [],
  );
});

test("ImageSignatures are not served", async () => {
  assert.ok(!(await resourceNames("image.openshift.io")).includes("imagesignatures"));
});

test("NetworkPolicies are stored", async () => {
  const policy = await stored("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {
    metadata: { name: "none" },
    spec: { podSelector: {}, policyTypes: ["Ingress"] },
  });
  assert.deepEqual(valueAt(policy, "spec", "policyTypes"), ["Ingress"]);
});

test("an active ControlPlaneMachineSet reports missing machines and only changes its status", () => {
  const status = controlPlaneStatus({
    set: {
      apiVersion: "machine.openshift.io/v1",
      kind: "ControlPlaneMachineSet",
      metadata: { name: "cluster", generation: 3 },
      spec: { state: "Active", replicas: 3, selector: { matchLabels: { role: "master" } } },
    },
    machines: [],
    now: new Date("2026-01-01T00:00:00Z"),
  });
  assert.equal(status.unavailableReplicas, 3);
  assert.equal(status.observedGeneration, 3);
});

test("the log of a container contains at most its last megabyte", () => {
  const log = new LogBuffer();
  const line = "x".repeat(1_000);
  for (let number = 0; number < 2_000; number++) log.append("stdout", `${number} ${line}\n`, new Date(0));
  assert.ok(log.text().length <= 1_024 * 1_024);
  assert.ok(log.text().endsWith(`1999 ${line}\n`));
});

test("a claim gets a volume although its storage class does not exist", async () => {
  await using cluster = await startTestCluster();
  const options = { nodes: 1, clock: systemClock, logger: silentLogger };
  await using _workloads = await startWorkloads(cluster.cluster, options);
  await cluster.client.create(resources.persistentVolumeClaims, {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "c", namespace: "default" },
    spec: {
      storageClassName: "absent",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    },
  });
  await eventually(async () => {
    const claim = await cluster.client.get(resources.persistentVolumeClaims, {
      namespace: "default",
      name: "c",
    });
    assert.equal(stringAt(claim, "status", "phase"), "Bound");
  });
});
