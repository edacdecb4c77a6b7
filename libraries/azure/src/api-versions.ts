/**
 * API versions with which the service writes, reads and deletes cluster resources, by resource type or type prefix in lower case.
 * Source: Azure/ARO-RP pkg/util/azureclient/apiversions.go.
 */
const apiVersions: Readonly<Record<string, string>> = {
  "microsoft.authorization": "2018-09-01-preview",
  "microsoft.authorization/denyassignments": "2018-07-01-preview",
  "microsoft.authorization/roledefinitions": "2018-01-01-preview",
  "microsoft.compute": "2024-03-01",
  "microsoft.compute/diskencryptionsets": "2021-04-01",
  "microsoft.compute/disks": "2019-03-01",
  "microsoft.compute/galleries": "2022-03-03",
  "microsoft.compute/snapshots": "2020-05-01",
  "microsoft.containerregistry": "2020-11-01-preview",
  "microsoft.resources/deployments": "2021-04-01",
  "microsoft.documentdb": "2023-04-15",
  "microsoft.insights": "2018-03-01",
  "microsoft.insights/autoscalesettings": "2022-10-01",
  "microsoft.keyvault": "2019-09-01",
  "microsoft.keyvault/vaults/accesspolicies": "2021-10-01",
  "microsoft.managedidentity": "2018-11-30",
  "microsoft.network": "2020-08-01",
  "microsoft.network/dnszones": "2018-05-01",
  "microsoft.network/privatednszones": "2018-09-01",
  "microsoft.storage": "2021-09-01",
};

/** Returns the API version of a type such as `Microsoft.Network/loadBalancers/probes`. Undefined for an unknown type. */
export function apiVersionOf(resourceType: string): string | undefined {
  for (
    let type = resourceType.toLowerCase();
    type !== "";
    type = type.slice(0, Math.max(0, type.lastIndexOf("/")))
  ) {
    const version = apiVersions[type];
    if (version !== undefined) return version;
  }
  return undefined;
}
