import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";

/** The only valid name of a ControlPlaneMachineSet. */
export const controlPlaneMachineSetName = "cluster";

export interface ControlPlaneObserved {
  readonly set: KubeObject;
  /** All Machines in the set's namespace. */
  readonly machines: readonly KubeObject[];
  readonly now: Date;
}

/** Computes the status of a set that manages control plane Machines. The status of an inactive set does not change. */
export function controlPlaneStatus({ set, machines, now }: ControlPlaneObserved): Record<string, unknown> {
  const before = objectAt(set, "status");
  const observedGeneration = set.metadata.generation ?? 1;
  if (stringAt(set, "spec", "state") !== "Active") return { ...before, observedGeneration };
  const selector = valueAt(set, "spec", "selector");
  const present = machines.filter((machine) =>
    selectsLabels(selector, stringMapAt(machine, "metadata", "labels")),
  );
  const ready = present.filter((machine) => stringAt(machine, "status", "phase") === "Running");
  const updated = ready.filter(
    (machine) => wantedSize(set) === undefined || sizeOf(machine) === wantedSize(set),
  );
  const replicas = numberAt(set, "spec", "replicas") ?? present.length;
  const outdated = present.length - updated.length;
  const unavailable = Math.max(0, replicas - ready.length);
  const conditions: readonly Condition[] = [
    unavailable === 0
      ? { type: "Available", status: "True", reason: "AllReplicasAvailable", message: "" }
      : {
          type: "Available",
          status: "False",
          reason: "UnavailableReplicas",
          message: `Missing ${unavailable} available replica(s)`,
        },
    present.length > replicas
      ? { type: "Degraded", status: "True", reason: "ExcessReplicas", message: "" }
      : { type: "Degraded", status: "False", reason: "AsExpected", message: "" },
    outdated > 0
      ? {
          type: "Progressing",
          status: "True",
          reason: "NeedsUpdateReplicas",
          message: `Observed ${outdated} replica(s) in need of update`,
        }
      : { type: "Progressing", status: "False", reason: "AllReplicasUpdated", message: "" },
  ];
  return {
    ...before,
    observedGeneration,
    replicas: present.length,
    readyReplicas: ready.length,
    updatedReplicas: updated.length,
    unavailableReplicas: unavailable,
    conditions: withConditions(set, conditions, now),
  };
}

function wantedSize(set: KubeObject): string | undefined {
  const template = valueAt(set, "spec", "template", "machines_v1beta1_machine_openshift_io", "spec");
  return stringAt(template, "providerSpec", "value", "vmSize");
}

function sizeOf(machine: KubeObject): string | undefined {
  return stringAt(machine, "spec", "providerSpec", "value", "vmSize");
}

/** Returns an inactive set with the template of the existing Machines. */
export function inactiveSet(namespace: string, infraId: string, masters: readonly KubeObject[]): KubeObject {
  const labels = {
    "machine.openshift.io/cluster-api-cluster": infraId,
    "machine.openshift.io/cluster-api-machine-role": "master",
    "machine.openshift.io/cluster-api-machine-type": "master",
  };
  const [pattern] = masters;
  return {
    apiVersion: "machine.openshift.io/v1",
    kind: "ControlPlaneMachineSet",
    metadata: {
      namespace,
      name: controlPlaneMachineSetName,
      finalizers: [controlPlaneFinalizer],
      labels: { "machine.openshift.io/cluster-api-cluster": infraId },
    },
    spec: {
      replicas: masters.length,
      selector: { matchLabels: labels },
      state: "Inactive",
      strategy: { type: "RollingUpdate" },
      template: {
        machineType: "machines_v1beta1_machine_openshift_io",
        machines_v1beta1_machine_openshift_io: {
          metadata: { labels },
          spec: { lifecycleHooks: {}, metadata: {}, providerSpec: objectAt(pattern, "spec", "providerSpec") },
        },
      },
    },
  };
}

export const controlPlaneFinalizer = "controlplanemachineset.machine.openshift.io";
