import type { ObservedMachine } from "./hypervisor/machine-view.ts";
import { roleOf, type VirtualMachine } from "./hypervisor/virtual-machine.ts";

export interface ClusterObserved {
  readonly infraId: string;
  /** All of them: the view is complete. */
  readonly machines: readonly ObservedMachine[];
  /** A logical cluster exists that the simulation made. */
  readonly stored: boolean;
  /** All that a fresh cluster consists of has been created. */
  readonly installed: boolean;
  /** Its controllers run in this process. */
  readonly running: boolean;
  readonly now: Date;
  readonly bootMs: number;
}

export type ClusterChange =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "install"; readonly bootstrap: ObservedMachine }
  | { readonly kind: "run" }
  | { readonly kind: "delete" };

/** A cluster's next step: only a running bootstrap machine brings one about, and it goes with its last machine. */
export function planCluster(observed: ClusterObserved): ClusterChange {
  const { machines, installed, running } = observed;
  if (machines.length === 0) return observed.stored ? { kind: "delete" } : { kind: "none" };
  if (installed) return running ? { kind: "none" } : { kind: "run" };
  const bootstrap = machines.find((machine) => roleOf(machine, observed.infraId) === "bootstrap");
  if (!bootstrap?.runningSince) return { kind: "none" };
  const ms = observed.bootMs - (observed.now.getTime() - bootstrap.runningSince.getTime());
  return ms > 0 ? { kind: "wait", ms } : { kind: "install", bootstrap };
}

/** Whether a machine runs that would serve the cluster's API. Before there are any, nothing speaks against it. */
export function servesApi(infraId: string, machines: readonly VirtualMachine[]): boolean {
  const servers = machines.filter((machine) => roleOf(machine, infraId) !== "worker");
  return servers.length === 0 || servers.some(({ powerState }) => powerState === "running");
}
