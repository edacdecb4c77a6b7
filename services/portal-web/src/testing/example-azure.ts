import type { AzureResource, AzureResources, ContainerLog, EffectiveRoutes } from "@keelson/portal-api";

const resource = (type: string, name: string, more: Partial<AzureResource> = {}): AzureResource => ({
  ...{ name, type, resourceGroup: "aro-demo", location: "westeurope" },
  ...{ provisioningState: "Succeeded", powerState: "" },
  ...more,
});
const vm = "Microsoft.Compute/virtualMachines";
const nic = "Microsoft.Network/networkInterfaces";

export const exampleAzureResources: AzureResources = {
  total: 7,
  resources: [
    resource("Microsoft.Network/virtualNetworks", "vnet", { resourceGroup: "keelson" }),
    resource(vm, "demo-x7k2p-master-0", { powerState: "running" }),
    resource(vm, "demo-x7k2p-worker-1", { powerState: "deallocated" }),
    resource(nic, "demo-x7k2p-master0-nic"),
    resource(nic, "demo-x7k2p-worker-1-nic", { provisioningState: "Failed" }),
    resource("Microsoft.Network/loadBalancers", "demo-x7k2p"),
    resource("Microsoft.Storage/storageAccounts", "clusterx7k2p"),
  ],
};

/** Console output in the form that a hostile machine could write. */
export const exampleConsole: ContainerLog = {
  lines: ["Red Hat Enterprise Linux CoreOS", "<script>alert(1)</script>\u241b[2J"],
  truncated: true,
};

export const exampleRoutes: EffectiveRoutes = {
  total: 2,
  routes: [
    {
      ...{ name: "", source: "Default", state: "Active", nextHopType: "VnetLocal", nextHops: [] },
      addressPrefixes: ["10.0.0.0/22"],
    },
    {
      ...{ name: "egress", source: "User", state: "Active", nextHopType: "VirtualAppliance" },
      ...{ nextHops: ["10.0.8.4"], addressPrefixes: ["0.0.0.0/0"] },
    },
  ],
};
