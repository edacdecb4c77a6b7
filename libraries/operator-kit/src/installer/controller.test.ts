import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type KubeObject, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import type { OperatorParts } from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import type { StaticPod } from "../static-pod/static-pod.ts";
import { installer } from "./controller.ts";

const pod: StaticPod = {
  resource: resources.etcds,
  name: "turbine",
  namespace: "turbine",
  revisioned: { configMaps: [{ name: "turbine-pod" }], secrets: [] },
  live: { configMaps: [], secrets: [] },
  certDir: "turbine-certs",
  operatorImage: "example.io/turbine-operator",
  installerCommand: ["turbine-operator", "installer"],
  prunerCommand: ["turbine-operator", "prune"],
};

const object = (kind: string, name: string, rest: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { namespace: "turbine", name, uid: name },
  ...rest,
});
const operand = (node: string, ready: "True" | "False") =>
  object("Pod", `turbine-${node}`, {
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: ready, lastTransitionTime: "2026-01-01T00:00:00Z" }],
    },
  });
const configuration = object("Etcd", "cluster", {
  spec: { managementState: "Managed" },
  status: {
    latestAvailableRevision: 2,
    nodeStatuses: [
      { nodeName: "a", currentRevision: 2 },
      { nodeName: "b", currentRevision: 1, targetRevision: 2 },
    ],
  },
});

/**
 * Runs the controller while node b waits for its installer. The cache contains two ready pods. Returns the names of created
 * objects and the delay of the next call.
 */
async function reconcile(live: readonly KubeObject[]) {
  const created: string[] = [];
  const cached = [operand("a", "True"), operand("b", "True")];
  const named = (objects: readonly KubeObject[], { name }: ObjectKey) =>
    objects.find(({ metadata }) => metadata.name === name);
  const isPod = (resource: KubeResource) => resource === resources.pods;
  const api = {
    get: async (_: KubeResource, { name }: ObjectKey) => object("ConfigMap", name),
    find: async (_: KubeResource, key: ObjectKey) => named(live, key),
    create: async (_: KubeResource, installer: KubeObject) => {
      created.push(installer.metadata.name);
      return installer;
    },
  };
  const cache = {
    find: (resource: KubeResource, key: ObjectKey) =>
      isPod(resource) ? named(cached, key) : object("ConfigMap", key.name),
    informer: () => ({ list: () => [] }),
    known: () => undefined,
  };
  const operator = {
    find: () => configuration,
    fieldManager: () => "test",
    setConditions: async () => undefined,
  };
  const parts = { api, cache, clock: new ManualClock(), operator, events: { succeeded: () => undefined } };
  const controller = installer<OperatorParts>({ pod, minReadyMs: 0 });
  const request = { signal: new AbortController().signal, logger: silentLogger };
  const result = await controller.reconcile(operatorKey, parts as unknown as OperatorParts, request);
  return { created, requeueAfterMs: result.requeueAfterMs };
}

test("a node gets its installer pod while all static pods are ready", async () => {
  const { created } = await reconcile([operand("a", "True"), operand("b", "True")]);
  assert.deepEqual(created, ["installer-2-b"]);
});

test("a node gets no installer pod if the cache does not contain a lost readiness yet", async () => {
  const { created, requeueAfterMs } = await reconcile([operand("a", "False"), operand("b", "True")]);
  assert.deepEqual([created, requeueAfterMs], [[], 1_000]);
});
