/** Complete configuration of one region. Tests may extend it. */
export const exampleConfiguration = {
  acrResourceId:
    "/subscriptions/7a3036d1-60a1-4605-8a41-44955e050804/resourceGroups/global/providers/Microsoft.ContainerRegistry/registries/keelsonimages",
  adminApiCaBundle: "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n",
  adminApiClientCertCommonName: "admin.example.com",
  azureCloudName: "AzurePublicCloud",
  clusterParentDomainName: "clusters.example.com",
  databaseAccountName: "keelson-documents",
  fpClientId: "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875",
  fpServicePrincipalId: "50c17c64-bc11-4fdd-a339-0ecd396bf911",
  fpTenantId: "64dc69e4-d083-49fc-9569-ebece1dd1408",
  globalResourceGroupLocation: "eastus",
  globalResourceGroupName: "global",
  globalSubscriptionId: "7a3036d1-60a1-4605-8a41-44955e050804",
  keyvaultPrefix: "keelson-eus",
  oidcStorageAccountName: "keelsonoidc",
  rpImagePrefix: "keelsonimages.azurecr.io/keelson",
  rpParentDomainName: "rp.example.com",
  rpVersionStorageAccountName: "keelsonversions",
  service: {
    installer: { kind: "simulated", clustersUrl: "https://clusters.example.com", caFile: "/etc/ca.pem" },
  },
  subscriptionResourceGroupLocation: "eastus",
  subscriptionResourceGroupName: "subscription",
  vmSize: "Standard_D2s_v3",
};

export const exampleRegion = {
  location: "eastus",
  subscriptionId: "7a3036d1-60a1-4605-8a41-44955e050804",
  rpResourceGroupName: "rp-eastus",
};
