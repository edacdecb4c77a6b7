import { type AzureClients, unlessGone } from "@keelson/azure";
import type { PlatformSettings } from "../../settings/cluster-settings.ts";
import type { ProviderSpec } from "./provider-spec.ts";

export interface InstanceRequest {
  /** Name of the Machine and its virtual machine. With this name, repeated requests find existing resources. */
  readonly name: string;
  readonly infraId: string;
  readonly platform: PlatformSettings;
  readonly spec: ProviderSpec;
  /** Custom data of the virtual machine in Base64. */
  readonly userData: string;
}

/** Creates the network interface and virtual machine of a Machine. Completes a partial creation. */
export async function createInstance(
  azure: AzureClients,
  request: InstanceRequest,
  signal: AbortSignal,
): Promise<void> {
  const { name, infraId, platform, spec } = request;
  const tags = { ...spec.tags, [`kubernetes.io_cluster.${infraId}`]: "owned" };
  const subnetId =
    `/subscriptions/${platform.subscriptionId}/resourceGroups/${spec.networkResourceGroup}` +
    `/providers/Microsoft.Network/virtualNetworks/${spec.virtualNetwork}/subnets/${spec.subnet}`;
  const pools = await backendPools(azure, spec, signal);
  const nic = await azure.network.networkInterfaces.createOrUpdate(
    spec.resourceGroup,
    nicName(name),
    {
      location: spec.location,
      tags,
      enableAcceleratedNetworking: spec.acceleratedNetworking,
      ipConfigurations: [
        {
          name: "pipConfig",
          primary: true,
          privateIPAllocationMethod: "Dynamic",
          subnet: { id: subnetId },
          loadBalancerBackendAddressPools: pools,
        },
      ],
    },
    azure.call(signal),
  );
  await azure.compute.virtualMachines.createOrUpdate(
    spec.resourceGroup,
    name,
    {
      location: spec.location,
      tags,
      ...(spec.zone ? { zones: [spec.zone] } : {}),
      hardwareProfile: { vmSize: spec.vmSize },
      ...(spec.encryptionAtHost ? { securityProfile: { encryptionAtHost: true } } : {}),
      osProfile: {
        computerName: name,
        adminUsername: "core",
        customData: request.userData,
        linuxConfiguration: { disablePasswordAuthentication: true, provisionVMAgent: false },
      },
      storageProfile: {
        imageReference: spec.image,
        osDisk: {
          name: diskName(name),
          osType: "Linux",
          createOption: "FromImage",
          diskSizeGB: spec.osDisk.sizeGB,
          managedDisk: {
            storageAccountType: spec.osDisk.storageAccountType,
            ...(spec.osDisk.diskEncryptionSetId
              ? { diskEncryptionSet: { id: spec.osDisk.diskEncryptionSetId } }
              : {}),
          },
        },
      },
      networkProfile: { networkInterfaces: nic.id ? [{ id: nic.id, primary: true }] : [] },
    },
    azure.call(signal),
  );
}

/** True if the virtual machine exists in Azure, in any state. */
export async function instanceExists(
  azure: AzureClients,
  resourceGroup: string,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const machine = await unlessGone(() =>
    azure.compute.virtualMachines.get(resourceGroup, name, azure.call(signal)),
  );
  return machine !== undefined;
}

/** Deletes a Machine's virtual machine, network interface and disk. Ignores missing resources. */
export async function deleteInstance(
  azure: AzureClients,
  resourceGroup: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const options = azure.call(signal);
  await unlessGone(() => azure.compute.virtualMachines.delete(resourceGroup, name, options));
  await unlessGone(() => azure.network.networkInterfaces.delete(resourceGroup, nicName(name), options));
  await unlessGone(() => azure.compute.disks.delete(resourceGroup, diskName(name), options));
}

async function backendPools(
  azure: AzureClients,
  spec: ProviderSpec,
  signal: AbortSignal,
): Promise<{ id: string }[]> {
  if (!spec.publicLoadBalancer) return [];
  const balancer = await azure.network.loadBalancers.get(
    spec.resourceGroup,
    spec.publicLoadBalancer,
    azure.call(signal),
  );
  const id = balancer.backendAddressPools?.[0]?.id;
  return id ? [{ id }] : [];
}

function nicName(machine: string): string {
  return `${machine}-nic`;
}

function diskName(machine: string): string {
  return `${machine}_OSDisk`;
}
