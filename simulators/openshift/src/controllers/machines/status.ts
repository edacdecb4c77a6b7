import type { KubeObject } from "@keelson/apiserver";
import { objectAt, stringAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import type { MachineFailure } from "./failure.ts";
import type { MachinePhase } from "./plan.ts";

/** Returns the status of a Machine with an instance. `lastUpdated` changes only if the phase changes. */
export function instanceStatus(
  machine: KubeObject,
  phase: MachinePhase,
  vm: ObservedMachine,
  node: KubeObject | undefined,
  now: Date,
): Record<string, unknown> {
  return {
    ...phaseStatus(machine, phase, now),
    addresses: [
      { type: "Hostname", address: vm.name },
      { type: "InternalDNS", address: vm.name },
      ...vm.privateIpAddresses.map((address) => ({ type: "InternalIP", address })),
    ],
    conditions: withConditions(machine, existing, now),
    nodeRef: node ? { kind: "Node", name: node.metadata.name, uid: node.metadata.uid } : undefined,
    providerStatus: {
      conditions: withConditions({ status: objectAt(machine, "status", "providerStatus") }, [created], now),
      metadata: {},
      vmId: vm.id,
      vmState: vmState(vm),
    },
  };
}

/** Drain progress of a terminating Machine. */
export type DrainReport =
  | { readonly kind: "held"; readonly hooks: readonly string[] }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "drained"; readonly skipped: boolean };

/** Computes the conditions Drainable and Drained of a terminating Machine. */
export function deletionStatus(machine: KubeObject, report: DrainReport, now: Date): Record<string, unknown> {
  const held: Condition = {
    type: "Drainable",
    status: "False",
    reason: "HookPresent",
    message: report.kind === "held" ? `Drain currently blocked by: [${report.hooks.join(", ")}]` : "",
  };
  const drained: Condition =
    report.kind === "failed"
      ? {
          type: "Drained",
          status: "False",
          reason: "DrainError",
          message: `could not drain machine: ${report.message}`,
        }
      : {
          type: "Drained",
          status: "True",
          reason: report.kind === "drained" && report.skipped ? "DrainSkipped" : "DrainCompleted",
          message:
            report.kind === "drained" && report.skipped
              ? "Node drain skipped"
              : "Drain finished successfully",
        };
  const conditions =
    report.kind === "held" ? [held] : [{ type: "Drainable", status: "True" } as const, drained];
  return { ...phaseStatus(machine, "Deleting", now), conditions: withConditions(machine, conditions, now) };
}

/** Returns the status with a new phase. Other status fields remain unchanged. */
export function phaseStatus(machine: KubeObject, phase: MachinePhase, now: Date): Record<string, unknown> {
  const before = objectAt(machine, "status");
  const lastUpdated = before.phase === phase ? before.lastUpdated : timestamp(now);
  return { ...before, phase, lastUpdated };
}

export function failedStatus(
  machine: KubeObject,
  failure: MachineFailure,
  now: Date,
): Record<string, unknown> {
  return {
    ...phaseStatus(machine, "Failed", now),
    errorReason: failure.reason,
    errorMessage: failure.message,
  };
}

/**
 * Adds the provider ID and the labels and annotations for `oc get machines` to a Machine. Returns the same object if nothing
 * changes.
 */
export function withInstance(machine: KubeObject, vm: ObservedMachine, zone: string | undefined): KubeObject {
  const labels = stringMapAt(machine, "metadata", "labels");
  const annotations = stringMapAt(machine, "metadata", "annotations");
  const learnt = {
    "machine.openshift.io/instance-type": vm.vmSize,
    "machine.openshift.io/region": vm.location,
    ...(zone ? { "machine.openshift.io/zone": zone } : {}),
  };
  const providerId = `azure://${vm.id}`;
  const known =
    stringAt(machine, "spec", "providerID") === providerId &&
    annotations["machine.openshift.io/instance-state"] === vmState(vm) &&
    Object.entries(learnt).every(([name, value]) => labels[name] === value);
  if (known) return machine;
  return {
    ...machine,
    metadata: {
      ...machine.metadata,
      labels: { ...labels, ...learnt },
      annotations: { ...annotations, "machine.openshift.io/instance-state": vmState(vm) },
    },
    spec: { ...objectAt(machine, "spec"), providerID: providerId },
  };
}

function vmState(vm: ObservedMachine): string {
  const names = { running: "Running", stopped: "Stopped", deallocated: "Deallocated" } as const;
  return names[vm.powerState];
}

const existing: readonly Condition[] = [
  { type: "Drainable", status: "True" },
  { type: "InstanceExists", status: "True" },
  { type: "Terminable", status: "True" },
];

const created: Condition = {
  type: "MachineCreated",
  status: "True",
  reason: "MachineCreationSucceeded",
  message: "machine successfully created",
};
