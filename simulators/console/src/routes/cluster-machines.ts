import { isPlainObject, stringAt } from "@keelson/base";
import { listOf } from "../http/world-result.ts";
import type { CallWorld, World } from "../world/world.ts";
import { propertiesOf } from "./service-clusters.ts";

const computeApiVersion = "2024-03-01";
const maxMachines = 500;

export interface ClusterMachine {
  readonly name: string;
  readonly size: string;
  readonly zone?: string;
}

/** Returns the virtual machines of a cluster. Each machine has the same name as its node. */
export async function machinesOf(
  cluster: Readonly<Record<string, unknown>>,
  { arm }: Pick<World, "arm">,
  signal: AbortSignal,
): Promise<readonly ClusterMachine[]> {
  const group = managedGroupOf(cluster);
  if (group === undefined) return [];
  const path = `${group}/providers/Microsoft.Compute/virtualMachines?api-version=${computeApiVersion}`;
  const { items } = await listOf(toleratesMissing(arm), path, maxMachines, signal);
  return items
    .map((machine) => {
      const [zone] = Array.isArray(machine.zones) ? machine.zones : [];
      const size = stringAt(machine, "properties", "hardwareProfile", "vmSize") ?? "";
      return { name: String(machine.name), size, ...(typeof zone === "string" ? { zone } : {}) };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the resource ID of a cluster's managed resource group. */
export function managedGroupOf(cluster: Readonly<Record<string, unknown>>): string | undefined {
  const { clusterProfile } = propertiesOf(cluster);
  const id = isPlainObject(clusterProfile) ? clusterProfile.resourceGroupId : undefined;
  return typeof id === "string" && /^\/subscriptions\/[\w-]+\/resourcegroups\/[\w.()-]+$/i.test(id)
    ? id
    : undefined;
}

/**
 * Wraps `call`, so that a missing resource group results in an empty list instead of 404. The managed resource group does not
 * exist yet when the creation of a cluster starts.
 */
function toleratesMissing(call: CallWorld): CallWorld {
  return async (request, signal) => {
    const response = await call(request, signal);
    return response.status === 404 ? { status: 200, body: { value: [] } } : response;
  };
}
