import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { KubeError, type KubeObject, resources } from "@keelson/kube";
import type { OperatorParts } from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import type { StaticPod } from "../static-pod/static-pod.ts";
import { nodes } from "./controller.ts";

const signal = new AbortController().signal;

/**
 * Reconciles once. The status has an entry for master `b`, which no longer exists. The API server rejects the removal of this
 * entry with `refusal`.
 */
async function reconcile(refusal: unknown) {
  const reported: (readonly Condition[])[] = [];
  const configuration: KubeObject = {
    apiVersion: "operator.openshift.io/v1",
    kind: "Etcd",
    metadata: operatorKey,
    status: {
      nodeStatuses: [
        { nodeName: "a", nodeUID: "1" },
        { nodeName: "b", nodeUID: "2" },
      ],
    },
  };
  const master = {
    metadata: { name: "a", uid: "1" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  };
  // The controller uses only these dependencies.
  const parts = {
    cache: { informer: () => ({ list: () => [master] }) },
    clock: systemClock,
    events: { report: () => undefined },
    operator: {
      find: () => configuration,
      fieldManager: (name: string) => name,
      patchStatus: () => Promise.reject(refusal),
      setConditions: async (_: string, conditions: readonly Condition[]) => void reported.push(conditions),
    },
  } as unknown as OperatorParts;
  const controller = nodes({ resource: resources.etcds } as StaticPod);
  const result = await controller
    .reconcile(operatorKey, parts, { signal, logger: silentLogger } as Parameters<
      typeof controller.reconcile
    >[2])
    .catch((error: unknown) => error);
  return { result, reported };
}

test("an entry that cannot be removed is reported as MasterNodeNotRemoved, and tried again", async () => {
  const { result, reported } = await reconcile(new KubeError(500, "InternalError", "nasty err"));
  assert.deepEqual(reported, [
    [
      {
        type: "NodeControllerDegraded",
        status: "True",
        reason: "MasterNodeNotRemoved",
        message: "failed applying JSONPatch, err: nasty err",
      },
    ],
  ]);
  assert.ok(Number(Object(result).requeueAfterMs) > 0);
});

test("a conflict is tried again without a condition", async () => {
  const conflict = new KubeError(409, "Conflict", "changed");
  const { result, reported } = await reconcile(conflict);
  assert.equal(result, conflict);
  assert.deepEqual(reported, []);
});
