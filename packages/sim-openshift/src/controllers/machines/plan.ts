import type { KubeObject } from "@keelson/apiserver";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import { textAt } from "../../runtime/fields.ts";
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
  | { readonly kind: "delete-instance" };

/**
 * A Machine's next step. Phases go Provisioning, Provisioned (the instance exists), Running (its node does);
 * Failed is final; Deleting ends with the instance and the Machine gone. Every step is repeated safely.
 */
export function planMachine({ machine, vm, node }: MachineObserved): MachineChange {
  const phase = textAt(machine, "status", "phase");
  const finalized = machine.metadata.finalizers?.includes(machineFinalizer) ?? false;
  if (machine.metadata.deletionTimestamp !== undefined) {
    if (!finalized) return { kind: "none" };
    return phase === "Deleting" ? { kind: "delete-instance" } : { kind: "set-phase", phase: "Deleting" };
  }
  if (!finalized) return { kind: "adopt" };
  if (phase === "Failed") return { kind: "none" };
  if (vm?.provisioningState === "Creating") return { kind: "none" };
  if (vm?.provisioningState === "Failed") return { kind: "fail", failure: provisioningFailed };
  if (vm) return { kind: "report", phase: node ? "Running" : "Provisioned", vm };
  if (phase === "Provisioned" || phase === "Running") return { kind: "fail", failure: instanceLost };
  return phase === "Provisioning"
    ? { kind: "create-instance" }
    : { kind: "set-phase", phase: "Provisioning" };
}

const instanceLost: MachineFailure = { reason: "CreateError", message: "Can't find created instance." };

const provisioningFailed: MachineFailure = {
  reason: "CreateError",
  message: "The provisioning of the virtual machine failed.",
};
