/** Azure cloud with a well-known name (go-autorest, `azure.Environment`). */
export interface AzureCloud {
  readonly name: "AzurePublicCloud" | "AzureUSGovernmentCloud";
  readonly armEndpoint: string;
  readonly loginEndpoint: string;
  /** Suffix of the hosts of storage accounts, after `.blob.`. */
  readonly storageSuffix: string;
  /** Suffix of the hosts of container registries. */
  readonly registrySuffix: string;
  /** Endpoint to which Azure's own software sends logs and metrics. */
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

/** Returns the cloud with this Azure Resource Manager. Undefined for a custom one. */
export function findAzureCloud(armEndpoint: string): AzureCloud | undefined {
  const host = URL.parse(armEndpoint)?.host;
  return azureClouds.find((each) => new URL(each.armEndpoint).host === host);
}
