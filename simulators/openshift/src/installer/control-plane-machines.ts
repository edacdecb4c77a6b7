import { type AzureClients, unlessGone } from "@keelson/azure";
import { type InstallContext, machineImage } from "@keelson/installers";
import {
  azureNames,
  infraIdOf,
  type MachineImage,
  managedGroupOf,
  networkId,
  type OpenShiftCluster,
  regionOf,
} from "@keelson/model";
import { machineImagesOf } from "./machine-images.ts";

export interface MachineRequest {
  readonly vmName: string;
  readonly nicName: string;
  /** Backend pools of the internal load balancer to which the machine is added, in addition to the API server's pool. */
  readonly extraPools: readonly string[];
  /** Ignition configuration as JSON. */
  readonly ignition: string;
  readonly zone?: string;
}

type NetworkInterface = Awaited<ReturnType<AzureClients["network"]["networkInterfaces"]["get"]>>;
type VirtualMachine = Awaited<ReturnType<AzureClients["compute"]["virtualMachines"]["get"]>>;
type MachineContext = Pick<InstallContext, "cluster" | "azure" | "signal" | "release">;

const osDiskSizeGB = 1024;

/** Creates a control plane machine with its network interface. Does nothing if the machine exists or is being created. */
export async function ensureMachine(context: MachineContext, request: MachineRequest): Promise<void> {
  const { cluster, azure, signal } = context;
  const group = managedGroupOf(cluster);
  const options = azure.call(signal);
  const found = await findMachine(context, request.vmName);
  if (found && found.provisioningState !== "Failed") return;
  await azure.network.networkInterfaces.createOrUpdate(
    group,
    request.nicName,
    nic(cluster, request),
    options,
  );
  await azure.compute.virtualMachines.createOrUpdate(
    group,
    request.vmName,
    machine(cluster, machineImage(cluster, await machineImagesOf(context)), request),
    options,
  );
}

async function findMachine(
  { cluster, azure, signal }: MachineContext,
  name: string,
): Promise<VirtualMachine | undefined> {
  return unlessGone(() =>
    azure.compute.virtualMachines.get(managedGroupOf(cluster), name, azure.call(signal)),
  );
}

function nic(cluster: OpenShiftCluster, { extraPools }: MachineRequest): NetworkInterface {
  const infraId = infraIdOf(cluster);
  const names = azureNames(infraId);
  const pool = (balancer: string, name: string) => ({
    id: `${networkId(cluster, "loadBalancers", balancer)}/backendAddressPools/${name}`,
  });
  const isOutbound = cluster.properties.networkProfile.outboundType === "Loadbalancer";
  return {
    location: regionOf(cluster),
    ipConfigurations: [
      {
        name: "pipConfig",
        subnet: { id: cluster.properties.masterProfile.subnetId },
        privateIPAllocationMethod: "Dynamic",
        loadBalancerBackendAddressPools: [
          ...[infraId, ...extraPools].map((name) => pool(names.internalLoadBalancer, name)),
          ...(isOutbound ? [pool(names.publicLoadBalancer, infraId)] : []),
        ],
      },
    ],
  };
}

function machine(
  cluster: OpenShiftCluster,
  imageReference: MachineImage,
  request: MachineRequest,
): VirtualMachine {
  const { masterProfile } = cluster.properties;
  return {
    location: regionOf(cluster),
    ...(request.zone ? { zones: [request.zone] } : {}),
    hardwareProfile: { vmSize: masterProfile.vmSize },
    ...(masterProfile.encryptionAtHost === "Enabled" ? { securityProfile: { encryptionAtHost: true } } : {}),
    storageProfile: {
      imageReference: { ...imageReference },
      osDisk: {
        name: `${request.vmName}_OSDisk`,
        caching: "ReadOnly",
        createOption: "FromImage",
        diskSizeGB: osDiskSizeGB,
        managedDisk: {
          storageAccountType: "Premium_LRS",
          ...(masterProfile.diskEncryptionSetId
            ? { diskEncryptionSet: { id: masterProfile.diskEncryptionSetId } }
            : {}),
        },
      },
    },
    osProfile: {
      computerName: request.vmName,
      adminUsername: "core",
      customData: Buffer.from(request.ignition).toString("base64"),
      linuxConfiguration: { disablePasswordAuthentication: true },
    },
    networkProfile: { networkInterfaces: [{ id: networkId(cluster, "networkInterfaces", request.nicName) }] },
    diagnosticsProfile: { bootDiagnostics: { enabled: true } },
  };
}
