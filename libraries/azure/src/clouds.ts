/** Well-known Azure cloud, with its name in go-autorest (`azure.Environment`). */
export interface AzureCloud {
  readonly name: "AzurePublicCloud" | "AzureUSGovernmentCloud";
  readonly armEndpoint: string;
  readonly loginEndpoint: string;
  /** Host suffix of storage accounts, after `.blob.`. */
  readonly storageSuffix: string;
  /** Host suffix of container registries. */
  readonly registrySuffix: string;
  /** Endpoint that receives logs and metrics of Azure's own software. */
  readonly monitoringEndpoint: string;
}

export const azureClouds: readonly AzureCloud[] = [
  {
    name: "AzurePublicCloud",
    armEndpoint: "https://management.azure.com/",
    loginEndpoint: "https://login.microsoftonline.com/",
    storageSuffix: "core.windows.net",
    registrySuffix: "azurecr.io",
    monitoringEndpoint: "https://gcs.prod.monitoring.core.windows.net/",
  },
  {
    name: "AzureUSGovernmentCloud",
    armEndpoint: "https://management.usgovcloudapi.net/",
    loginEndpoint: "https://login.microsoftonline.us/",
    storageSuffix: "core.usgovcloudapi.net",
    registrySuffix: "azurecr.us",
    monitoringEndpoint: "https://gcs.monitoring.core.usgovcloudapi.net/",
  },
];

/** Returns the cloud of an Azure Resource Manager endpoint. Undefined for a custom endpoint. */
export function findAzureCloud(armEndpoint: string): AzureCloud | undefined {
  const host = URL.parse(armEndpoint)?.host;
  return azureClouds.find((each) => new URL(each.armEndpoint).host === host);
}
