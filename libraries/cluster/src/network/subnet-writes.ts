import { isPreconditionFailed } from "@keelson/azure";
import { backoffMs } from "@keelson/base";
import { parseSubnetId } from "@keelson/model";
import type { Subnet } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";

/**
 * Backoff for retries after ETag conflicts. Conflicts are frequent, because each write to a subnet changes the ETags of all
 * subnets in the virtual network.
 */
const conflictBackoff = { attempts: 30, firstMs: 30, factor: 1.5, maxMs: 1_000, jitter: 0.8 };

/**
 * Applies `change` to a subnet and writes the result if it differs. Each write sends the ETag from the read. After a conflict,
 * the subnet is read and changed again.
 */
export async function changeSubnet(
  { azure, signal, clock }: ClusterContext,
  subnetId: string,
  change: (current: Subnet) => Subnet,
): Promise<void> {
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(subnetId);
  for (let attempt = 1; ; attempt++) {
    const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, azure.call(signal));
    const changed = change(subnet);
    if (changed === subnet) return;
    try {
      await azure.network.subnets.createOrUpdate(resourceGroup, virtualNetwork, name, changed, {
        ...azure.call(signal),
        ...(subnet.etag ? { requestOptions: { headers: { "If-Match": subnet.etag } } } : {}),
      });
      return;
    } catch (error) {
      if (!isPreconditionFailed(error) || attempt >= conflictBackoff.attempts) throw error;
      await clock.sleep(backoffMs(conflictBackoff, attempt), signal);
    }
  }
}
