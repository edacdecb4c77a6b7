import type { VirtualMachine } from "./virtual-machine.ts";

/** Location of a cluster's machines. */
export interface ClusterPlace {
  readonly subscriptionId: string;
  /** The managed resource group. */
  readonly resourceGroup: string;
  readonly networkResourceGroup: string;
  readonly virtualNetwork: string;
}

type MachineFacts = Pick<VirtualMachine, "id" | "name" | "subnetIds">;

/**
 * Names that installers assign to control plane machines. Infrastructure IDs end with five random characters.
 */
const controlPlaneName = /^([a-z0-9](?:[a-z0-9-]*)-[a-z0-9]{5})-(?:bootstrap|master-.+)$/;

/**
 * Finds a machine's cluster by resource group, name and network. Names of control plane machines identify a
 * cluster. Other machines in its resource group and network belong to it.
 */
export class MachineOwners {
  /** Clusters by resource group, each with the ID of its virtual network. */
  readonly #groups = new Map<string, Map<string, string>>();

  /** Adds a cluster that may no longer have a control plane. */
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

  /** Returns the infrastructure ID. Undefined if the cluster is unknown. */
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

/** Resource group of a machine, in lower case: resource IDs compare without case. */
export function groupOf(machineId: string): string {
  return machineId.toLowerCase().split("/").slice(0, 5).join("/");
}
