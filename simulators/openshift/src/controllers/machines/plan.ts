import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { hasFinalizer } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import type { MachineFailure } from "./failure.ts";

/** Finalizer of Machines with an instance. */
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
  /**
   * The hypervisor no longer reports the virtual machine. The Machine fails only if Azure confirms that the virtual machine does
   * not exist.
   */
  | { readonly kind: "confirm-loss" };

/** Annotation that disables the drain before a Machine's deletion. */
export const excludeDrainAnnotation = "machine.openshift.io/exclude-node-draining";

/**
 * Plans the next step of a Machine. The phases are Provisioning, Provisioned (the instance exists), Running (the node exists),
 * Failed (final) and Deleting. All steps are idempotent.
 */
export function planMachine({ machine, vm, node }: MachineObserved): MachineChange {
  const phase = stringAt(machine, "status", "phase");
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

/** Returns the lifecycle hooks that block a Machine's deletion at `point`, in the form `owner/name`. */
export function hooksOf(machine: KubeObject, point: "preDrain" | "preTerminate"): readonly string[] {
  return listAt(machine, "spec", "lifecycleHooks", point).map(
    (hook) => `${stringAt(hook, "owner") ?? ""}/${stringAt(hook, "name") ?? ""}`,
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
