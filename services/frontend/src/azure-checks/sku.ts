import type { AzureClients } from "@keelson/azure";
import type { Violation } from "@keelson/model";
import type { ProposedCreation } from "./azure-checks.ts";
import { invalid } from "./invalid.ts";
import { type WantedMachines, wantedMachines } from "./machines.ts";
import type { SkuCatalogue, Skus } from "./sku-catalogue.ts";

/**
 * Checks that the subscription can use the cluster's VM sizes in its region. If a cached list lacks a size, the list is read
 * again before the request is rejected. Messages: Azure/ARO-RP pkg/frontend/sku_validation.go.
 */
export async function checkSkus(
  { cluster, subscription }: ProposedCreation,
  azure: Pick<AzureClients, "compute">,
  catalogue: SkuCatalogue,
  signal: AbortSignal,
): Promise<readonly Violation[]> {
  const { location } = cluster;
  const wanted = wantedMachines(cluster);
  const place = { subscriptionId: subscription.id, location };
  const { skus, kept } = await catalogue.get(azure, { ...place, fresh: false }, signal);
  const violations = violationsOf(wanted, skus, location);
  if (violations.length === 0 || !kept) return violations;
  const again = await catalogue.get(azure, { ...place, fresh: true }, signal);
  return violationsOf(wanted, again.skus, location);
}

function violationsOf(wanted: readonly WantedMachines[], skus: Skus, location: string): readonly Violation[] {
  return wanted.flatMap(({ path, vmSize, encryptionAtHost }) => {
    const target = `${path}.VMSize`;
    const sku = skus.get(vmSize);
    if (!sku) {
      return [invalid(target, `The selected SKU '${vmSize}' is unavailable in region '${location}'`)];
    }
    const found: Violation[] = [];
    if (sku.restricted) {
      const message = `The selected SKU '${vmSize}' is restricted in region '${location}' for selected subscription`;
      found.push(invalid(target, message));
    }
    if (encryptionAtHost && !sku.encryptionAtHost) {
      const message = `The selected SKU '${vmSize}' does not support encryption at host.`;
      found.push(invalid(`${path}.encryptionAtHost`, message));
    }
    return found;
  });
}
