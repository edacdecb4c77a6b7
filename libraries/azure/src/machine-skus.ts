import type { ComputeManagementClient } from "@azure/arm-compute";

/** Capabilities of a machine size for one region and subscription. */
export interface MachineSku {
  readonly restricted: boolean;
  readonly encryptionAtHost: boolean;
  /** Availability zones, starting with `1`. Empty in regions without zones. */
  readonly zones: readonly string[];
}

/** Lists the machine sizes of a region by name. Includes the restrictions of this subscription. */
export async function listMachineSkus(
  compute: ComputeManagementClient,
  location: string,
  abortSignal: AbortSignal,
): Promise<ReadonlyMap<string, MachineSku>> {
  const skus = new Map<string, MachineSku>();
  const here = (names: readonly string[] | undefined) =>
    names?.some((each) => each.toLowerCase() === location.toLowerCase()) ?? false;
  const filter = `location eq '${location}'`;
  for await (const sku of compute.resourceSkus.list({ filter, abortSignal })) {
    if (sku.resourceType !== "virtualMachines" || !sku.name) continue;
    if (!here(sku.locations) || !sku.locationInfo?.length) continue;
    skus.set(sku.name, {
      restricted: sku.restrictions?.some(({ restrictionInfo }) => here(restrictionInfo?.locations)) ?? false,
      encryptionAtHost:
        sku.capabilities?.find(({ name }) => name === "EncryptionAtHostSupported")?.value === "True",
      zones: sku.locationInfo[0]?.zones ?? [],
    });
  }
  return skus;
}
