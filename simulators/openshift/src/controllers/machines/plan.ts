import type { KubeObject } from "@keelson/apiserver";
import { hasFinalizer } from "@keelson/controller";
import { conditionStatus } from "../../base/conditions.ts";
import { listAt, textAt } from "../../base/fields.ts";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import type { MachineFailure } from "./failure.ts";

/** Keeps a Machine until its instance is gone. */
export const machineFinalizer = "machine.machine.openshift.io";

export type MachinePhase = "Provisioning" | "Provisioned" | "Running" | "Deleting" | "Failed";

export interface MachineObserved {
  readonly machine: KubeObject;
  readonly vm: ObservedMachine | undefined;
  readonly node: KubeObject | undefined;
}

export type MachineChange =
  | { readonly kind: "none" }
  | { readonly kind: "adopt" }
  | { readonly kind: "set-phase"; readonly phase: MachinePhase }
  | { readonly kind: "fail"; readonly failure: MachineFailure }
  | { readonly kind: "create-instance" }
  | { readonly kind: "report"; readonly phase: MachinePhase; readonly vm: ObservedMachine }
  | { readonly kind: "drain" }
  | { readonly kind: "delete-instance" }
  /** The hypervisor does not know the machine any more: Azure has the last word. */
  | { readonly kind: "confirm-loss" };

/** Whether an annotation asks that the machine's node is not drained before it goes. */
export const excludeDrainAnnotation = "machine.openshift.io/exclude-node-draining";

/**
 * A Machine's next step. Phases go Provisioning, Provisioned (the instance exists), Running (its node does);
 * Failed is final; Deleting ends with the instance and the Machine gone. Every step is repeated safely.
 */
export function planMachine({ machine, vm, node }: MachineObserved): MachineChange {
  const phase = textAt(machine, "status", "phase");
  const finalized = hasFinalizer(machine, machineFinalizer);
  if (machine.metadata.deletionTimestamp !== undefined) {
    if (!finalized) return { kind: "none" };
    if (phase !== "Deleting") return { kind: "set-phase", phase: "Deleting" };
    if (!isDrained(machine)) return { kind: "drain" };
    return hooksOf(machine, "preTerminate").length > 0 ? { kind: "none" } : { kind: "delete-instance" };
  }
  if (!finalized) return { kind: "adopt" };
  if (phase === "Failed") return { kind: "none" };
  if (vm?.provisioningState === "Creating") return { kind: "none" };
  if (vm?.provisioningState === "Failed") return { kind: "fail", failure: provisioningFailed };
  if (vm) return { kind: "report", phase: node ? "Running" : "Provisioned", vm };
  if (phase === "Provisioned" || phase === "Running") return { kind: "confirm-loss" };
  return phase === "Provisioning"
    ? { kind: "create-instance" }
    : { kind: "set-phase", phase: "Provisioning" };
}

/** Who holds up the machine's deletion: `owner/name` of each lifecycle hook at this point. */
export function hooksOf(machine: KubeObject, point: "preDrain" | "preTerminate"): readonly string[] {
  return listAt(machine, "spec", "lifecycleHooks", point).map(
    (hook) => `${textAt(hook, "owner") ?? ""}/${textAt(hook, "name") ?? ""}`,
  );
}

function isDrained(machine: KubeObject): boolean {
  return conditionStatus(machine, "Drained") === "True";
}

export const instanceLost: MachineFailure = {
  reason: "CreateError",
  message: "Can't find created instance.",
};

const provisioningFailed: MachineFailure = {
  reason: "CreateError",
  message: "The provisioning of the virtual machine failed.",
};
