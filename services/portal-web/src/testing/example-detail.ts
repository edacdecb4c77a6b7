import type { ClusterDetail, ClusterSummary } from "@keelson/portal-api";
import { exampleClusters } from "./example-clusters.ts";

const network =
  "/subscriptions/3f6cdb6a-1c52-4c57-9a3f-0a4a6f2f7f10/resourceGroups/keelson/providers/Microsoft.Network/virtualNetworks/vnet";

/** Returns the details of a cluster that is in the list. */
export const detailOf = (summary: ClusterSummary): ClusterDetail => ({
  name: summary.name,
  subscription: summary.subscription,
  resourceGroup: summary.resourceGroup,
  resourceId: summary.resourceId.toLowerCase(),
  location: summary.location,
  provisioningState: summary.provisioningState,
  failedProvisioningState: summary.failedProvisioningState,
  lastProvisioningState: "Succeeded",
  lastAdminUpdateError: "",
  version: summary.version,
  createdAt: summary.createdAt,
  createdBy: "admin@example.com",
  lastModified: summary.lastModified,
  lastModifiedBy: "admin@example.com",
  provisionedBy: summary.provisionedBy,
  architectureVersion: "2",
  infraId: `${summary.name}-x7k2p`,
  apiServerVisibility: "Public",
  apiServerUrl: `https://api.${summary.name}.westeurope.aroapp.io:6443/`,
  consoleUrl: `https://console-openshift-console.apps.${summary.name}.westeurope.aroapp.io/`,
  installStatus: "Installed",
  maintenanceState: "None",
  exceededLimits: "",
  health: summary.health,
  creator: "ada@example.com",
  tags: { team: "payments", "cost-center": "4711" },
  managedResourceGroup: `/subscriptions/${summary.subscription}/resourcegroups/aro-${summary.name}`,
  domain: `${summary.name}.westeurope.aroapp.io`,
  operatorVersion: "",
  credential: "service principal",
  clientId: "7c1f0e0a-6f0a-4d0e-9a54-6a0d2c6c3b51",
  consoleReachable: true,
  creationResumable: false,
  network: {
    apiServerIp: "20.50.1.10",
    ingressVisibility: "Public",
    ingressIp: "20.50.1.11",
    podCidr: "10.128.0.0/14",
    serviceCidr: "172.30.0.0/16",
    plugin: "OVNKubernetes",
    outboundType: "Loadbalancer",
    preconfiguredNsg: "Disabled",
    privateEndpointIp: "10.0.4.7",
  },
  masters: { vmSize: "Standard_D8s_v5", subnet: `${network}/subnets/master` },
  workers: [
    {
      name: "worker",
      vmSize: "Standard_D4s_v5",
      diskSizeGB: 128,
      count: 3,
      subnet: `${network}/subnets/worker`,
    },
  ],
});

const [demo] = exampleClusters;
if (!demo) throw new Error("no example cluster");
export const exampleDetail: ClusterDetail = detailOf(demo);
