import type { KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt } from "@keelson/base";
import { isControlledBy } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";

export const deleteAnnotation = "machine.openshift.io/delete-machine";

export interface MachineSetObserved {
  readonly machineSet: KubeObject;
  /** All Machines in the namespace of the MachineSet. */
  readonly machines: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
}

export interface MachineSetPlan {
  /** Number of Machines to create. */
  readonly create: number;
  /** Names of Machines to delete. */
  readonly delete: readonly string[];
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * Plans the next step towards `spec.replicas`. Terminating Machines are not counted. Failed Machines are counted because a
 * MachineHealthCheck replaces them. A terminating MachineSet is not scaled.
 */
export function planMachineSet({ machineSet, machines, nodes }: MachineSetObserved): MachineSetPlan {
  const present = machines
    .filter((each) => isControlledBy(each, machineSet))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const wanted = numberAt(machineSet, "spec", "replicas") ?? 1;
  const deleting = machineSet.metadata.deletionTimestamp !== undefined;
  const surplus = deleting ? 0 : Math.max(0, present.length - wanted);
  return {
    create: deleting ? 0 : Math.max(0, wanted - present.length),
    delete:
      surplus === 0
        ? []
        : present
            .toSorted(deletionOrder(stringAt(machineSet, "spec", "deletePolicy")))
            .slice(0, surplus)
            .map(({ metadata }) => metadata.name),
    status: statusOf(machineSet, present, nodes),
  };
}

/**
 * Compares Machines by deletion order. Marked Machines come first, then failed Machines, then Machines without a node.
 * `spec.deletePolicy` determines the order of the remaining Machines. `Random` deletes the newest Machine first.
 */
function deletionOrder(policy: string | undefined): (a: KubeObject, b: KubeObject) => number {
  const direction = policy === "Oldest" ? -1 : 1;
  const age = (machine: KubeObject) => machine.metadata.creationTimestamp ?? "";
  return (a, b) =>
    deletionRank(a) - deletionRank(b) ||
    direction * age(b).localeCompare(age(a)) ||
    a.metadata.name.localeCompare(b.metadata.name);
}

function deletionRank(machine: KubeObject): number {
  if (deleteAnnotation in stringMapAt(machine, "metadata", "annotations")) return 0;
  if (stringAt(machine, "status", "phase") === "Failed") return 1;
  return stringAt(machine, "status", "nodeRef", "name") === undefined ? 2 : 3;
}

function statusOf(
  machineSet: KubeObject,
  present: readonly KubeObject[],
  nodes: readonly KubeObject[],
): Record<string, unknown> {
  const readyNodes = new Set(
    nodes.filter((node) => conditionStatus(node, "Ready") === "True").map(({ metadata }) => metadata.name),
  );
  const ready = present.filter((machine) =>
    readyNodes.has(stringAt(machine, "status", "nodeRef", "name") ?? ""),
  );
  const labels = Object.entries(stringMapAt(machineSet, "spec", "template", "metadata", "labels"));
  const labelled = present.filter((machine) => {
    const carried = stringMapAt(machine, "metadata", "labels");
    return labels.every(([name, value]) => carried[name] === value);
  });
  return {
    availableReplicas: ready.length,
    fullyLabeledReplicas: labelled.length,
    observedGeneration: machineSet.metadata.generation ?? 1,
    readyReplicas: ready.length,
    replicas: present.length,
  };
}
