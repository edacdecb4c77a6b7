import type { ObservedMachine } from "./hypervisor/machine-view.ts";
import { roleOf, type VirtualMachine } from "./hypervisor/virtual-machine.ts";

export interface ClusterObserved {
  readonly infraId: string;
  /** All machines of the cluster. */
  readonly machines: readonly ObservedMachine[];
  /** True if the cluster is stored in the simulated API server. */
  readonly stored: boolean;
  /** True if the installation has created all objects of the cluster. */
  readonly installed: boolean;
  /** True if the cluster's controllers run in this process. */
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

/**
 * Plans the next step of a cluster. Only a running bootstrap machine starts an installation. After the cluster's last machine is
 * deleted, the plan deletes the cluster.
 */
export function planCluster(observed: ClusterObserved): ClusterChange {
  const { machines, installed, running } = observed;
  if (machines.length === 0) return observed.stored ? { kind: "delete" } : { kind: "none" };
  if (installed) return running ? { kind: "none" } : { kind: "run" };
  const bootstrap = machines.find((machine) => roleOf(machine, observed.infraId) === "bootstrap");
  if (!bootstrap?.runningSince) return { kind: "none" };
  const ms = observed.bootMs - (observed.now.getTime() - bootstrap.runningSince.getTime());
  return ms > 0 ? { kind: "wait", ms } : { kind: "install", bootstrap };
}

/** True if at least one machine serves the cluster's API. Also true before the first machine exists. */
export function servesApi(infraId: string, machines: readonly VirtualMachine[]): boolean {
  const servers = machines.filter((machine) => roleOf(machine, infraId) !== "worker");
  return servers.length === 0 || servers.some(({ powerState }) => powerState === "running");
}
