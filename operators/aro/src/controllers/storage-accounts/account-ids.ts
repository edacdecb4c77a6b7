import type { AroCluster } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

export interface AccountIds {
  readonly ids: readonly string[];
  /** Reasons why the ID of a storage account cannot be determined, one line each. */
  readonly faults: readonly string[];
}

/** Returns the IDs of the storage accounts of the cluster and its image registry. */
export function accountIds({ spec = {} }: AroCluster, registry: KubeObject | undefined): AccountIds {
  const { clusterResourceGroupId: group = "", storageSuffix = "" } = spec;
  const ofRegistry = stringAt(registry, "spec", "storage", "azure", "accountName");
  const faults: string[] = [];
  if (!/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+$/i.test(group)) {
    faults.push(`spec.clusterResourceGroupId of the Cluster is '${group}', not the ID of a resource group`);
    return { ids: [], faults };
  }
  if (!ofRegistry) faults.push("azure storage field is nil in image registry config");
  const names = [`cluster${storageSuffix}`, ...(ofRegistry ? [ofRegistry] : [])];
  const wrong = names.filter((name) => !/^[a-z0-9]{3,24}$/.test(name));
  faults.push(...wrong.map((name) => `'${name.slice(0, 40)}' is not the name of a storage account`));
  const ids = names
    .filter((name) => !wrong.includes(name))
    .map((name) => `${group}/providers/Microsoft.Storage/storageAccounts/${name}`);
  return { ids: [...new Set(ids)], faults };
}
