/** What an installer puts into the bootstrap machine for a cluster of three masters and `workers` workers. */
export function exampleClusterJson(workers = 3): Record<string, unknown> {
  const infraId = "demo-x7k2p";
  return {
    version: 1,
    infraId,
    clusterId: "7a1f3b0e-52a6-4b5e-9a53-0a6b1c2d3e4f",
    domain: "demo.eastus.keelson.localhost",
    openShiftVersion: "4.19.24",
    clientCertificateAuthorities: [],
    platform: {
      armEndpoint: "https://localhost:8444",
      loginEndpoint: "https://localhost:8444",
      audience: "https://management.azure.com/",
      subscriptionId: "00000000-0000-0000-0000-000000000001",
      tenantId: "00000000-0000-0000-0000-000000000002",
      location: "eastus",
      resourceGroup: "aro-demo",
      networkResourceGroup: "demo-rg",
      virtualNetwork: "demo-vnet",
      controlPlaneSubnet: "master-subnet",
      computeSubnet: "worker-subnet",
      networkSecurityGroup: `${infraId}-nsg`,
      internalLoadBalancer: `${infraId}-internal`,
    },
    servicePrincipal: { clientId: "00000000-0000-0000-0000-000000000003", clientSecret: "cluster-secret" },
    controlPlane: { replicas: 3, vmSize: "Standard_D8s_v3" },
    manifests: [workerMachineSet(infraId, workers)],
  };
}

/** `cluster.json` as a machine's custom data, with texts in other files beside it. */
export function customDataOf(
  clusterJson: Record<string, unknown>,
  others: Readonly<Record<string, string>> = {},
): string {
  const contents = Buffer.from(JSON.stringify(clusterJson)).toString("base64");
  const otherFiles = Object.entries(others).map(([path, text]) => ({
    path,
    contents: { source: `data:,${encodeURIComponent(text)}` },
  }));
  const ignition = {
    ignition: { version: "3.2.0" },
    storage: {
      files: [
        { path: "/etc/motd", contents: { source: "data:,hello%20there" } },
        {
          path: "/opt/openshift/cluster.json",
          contents: { source: `data:application/json;base64,${contents}` },
        },
        ...otherFiles,
      ],
    },
  };
  return Buffer.from(JSON.stringify(ignition)).toString("base64");
}

function workerMachineSet(infraId: string, replicas: number): Record<string, unknown> {
  const name = `${infraId}-worker-eastus1`;
  const selector = {
    "machine.openshift.io/cluster-api-cluster": infraId,
    "machine.openshift.io/cluster-api-machineset": name,
  };
  return {
    apiVersion: "machine.openshift.io/v1beta1",
    kind: "MachineSet",
    metadata: { namespace: "openshift-machine-api", name, labels: selector },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      template: {
        metadata: {
          labels: {
            ...selector,
            "machine.openshift.io/cluster-api-machine-role": "worker",
            "machine.openshift.io/cluster-api-machine-type": "worker",
          },
        },
        spec: {
          providerSpec: {
            value: {
              apiVersion: "machine.openshift.io/v1beta1",
              kind: "AzureMachineProviderSpec",
              location: "eastus",
              networkResourceGroup: "demo-rg",
              osDisk: {
                diskSizeGB: 128,
                managedDisk: { storageAccountType: "Premium_LRS" },
                osType: "Linux",
              },
              resourceGroup: "aro-demo",
              subnet: "worker-subnet",
              vmSize: "Standard_D4s_v3",
              vnet: "demo-vnet",
              zone: "1",
            },
          },
        },
      },
    },
  };
}
