import type { VirtualMachine } from "./virtual-machine.ts";

/** Resource group and virtual network that contain a cluster's machines. */
export interface ClusterPlace {
  readonly subscriptionId: string;
  /** Managed resource group of the cluster. */
  readonly resourceGroup: string;
  readonly networkResourceGroup: string;
  readonly virtualNetwork: string;
}

type MachineFacts = Pick<VirtualMachine, "id" | "name" | "subnetIds">;

/**
 * Control plane machine names that installers assign. They contain the infrastructure ID, which ends with five random characters.
 */
const controlPlaneName = /^([a-z0-9](?:[a-z0-9-]*)-[a-z0-9]{5})-(?:bootstrap|master-.+)$/;

/**
 * Finds the cluster of a machine. Names of control plane machines contain their cluster's infrastructure ID. A worker belongs to
 * the cluster in the worker's resource group and virtual network.
 */
export class MachineOwners {
  /** Clusters by resource group. The inner map contains the virtual network ID by infrastructure ID. */
  readonly #groups = new Map<string, Map<string, string>>();

  /** Adds a stored cluster. Its workers can then be found even if the cluster no longer has control plane machines. */
  add(infraId: string, place: ClusterPlace): void {
    const group = `/subscriptions/${place.subscriptionId}/resourceGroups/`;
    const network = `${group}${place.networkResourceGroup}/providers/Microsoft.Network/virtualNetworks/${place.virtualNetwork}`;
    this.#put(`${group}${place.resourceGroup}`.toLowerCase(), infraId, network.toLowerCase());
  }

  forget(infraId: string): void {
    for (const [group, clusters] of this.#groups) {
      clusters.delete(infraId);
      if (clusters.size === 0) this.#groups.delete(group);
    }
  }

  /** Returns the infrastructure ID of a machine's cluster. Undefined if the cluster is unknown. */
  find(machine: MachineFacts): string | undefined {
    const networks = machine.subnetIds.map(networkOf);
    const [network] = networks;
    if (network === undefined) return undefined;
    const group = groupOf(machine.id);
    const clusters = [...(this.#groups.get(group) ?? [])].filter(([, each]) => networks.includes(each));
    const named = clusters.map(([infraId]) => infraId).filter((each) => machine.name.startsWith(`${each}-`));
    const longest = named.sort((a, b) => b.length - a.length)[0];
    if (longest !== undefined) return longest;
    const announced = controlPlaneName.exec(machine.name)?.[1];
    if (announced !== undefined) {
      this.#put(group, announced, network);
      return announced;
    }
    const [only, ...others] = clusters;
    return only && others.length === 0 ? only[0] : undefined;
  }

  #put(group: string, infraId: string, network: string): void {
    const clusters = this.#groups.get(group) ?? new Map<string, string>();
    this.#groups.set(group, clusters.set(infraId, network));
  }
}

function networkOf(subnetId: string): string {
  return subnetId.toLowerCase().replace(/\/subnets\/[^/]+$/, "");
}

/** Returns the resource group of a machine in lower case, because resource IDs are case-insensitive. */
export function groupOf(machineId: string): string {
  return machineId.toLowerCase().split("/").slice(0, 5).join("/");
}
