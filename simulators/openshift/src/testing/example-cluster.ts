import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { secret } from "../base/data-objects.ts";
import { bootstrapFiles } from "../installer/bootstrap-files.ts";
import { ignitionWithFiles, pointerIgnition } from "../installer/ignition.ts";
import type { ClusterSettings } from "../settings/cluster-settings.ts";

const infraId = "demo-x7k2p";
const domain = "demo.eastus.keelson.localhost";

/** Returns the settings of a cluster with three masters. */
export function exampleSettings(changes: Partial<ClusterSettings> = {}): ClusterSettings {
  return {
    version: 1,
    infraId,
    clusterId: "7a1f3b0e-52a6-4b5e-9a53-0a6b1c2d3e4f",
    domain,
    openShiftVersion: "4.19.24",
    kubernetesVersion: "1.32.9",
    clientCertificateAuthorities: [],
    sshAuthorizedKeys: [],
    platform: {
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
    controlPlane: { replicas: 3, vmSize: "Standard_D8s_v3", zones: [] },
    ...changes,
  };
}

export interface ExampleInstall {
  readonly settings?: ClusterSettings;
  readonly workers?: number;
  readonly servicePrincipal?: { readonly clientId: string; readonly clientSecret: string };
  readonly manifests?: readonly KubeObject[];
}

/** Returns the installer's files for the bootstrap machine and the Base64 custom data for masters. */
export async function exampleInstall({
  settings = exampleSettings(),
  workers = 3,
  servicePrincipal = {
    clientId: "00000000-0000-0000-0000-000000000003",
    clientSecret: "cluster-secret",
  },
  manifests = [],
}: ExampleInstall = {}) {
  const machineConfigHost = `api-int.${settings.domain}`;
  const rootAuthority = await createCertificateAuthority("root-ca", 1);
  const machineConfigServer = await issueCertificate(rootAuthority, {
    commonName: "system:machine-config-server",
    dnsNames: [machineConfigHost],
    usage: "server",
    validDays: 1,
  });
  const files = bootstrapFiles({
    settings,
    rootAuthority,
    machineConfigServer,
    machineConfigHost,
    cloudCredentials: secret("kube-system", "azure-credentials", {
      azure_client_id: servicePrincipal.clientId,
      azure_client_secret: servicePrincipal.clientSecret,
      azure_tenant_id: settings.platform.tenantId,
    }),
    workerMachineSets: [workerMachineSet(workers)],
    manifests,
  });
  const pointer = pointerIgnition(machineConfigHost, "master", rootAuthority.certificatePem);
  return { files, bootstrap: customDataOf(files), master: Buffer.from(pointer).toString("base64") };
}

/** Returns Base64 custom data with an Ignition configuration that writes these files. */
function customDataOf(files: Readonly<Record<string, string>>): string {
  return Buffer.from(ignitionWithFiles(files)).toString("base64");
}

function workerMachineSet(replicas: number): KubeObject {
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
              userDataSecret: { name: "worker-user-data" },
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
