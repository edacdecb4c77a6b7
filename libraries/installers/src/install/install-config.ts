import { parseResourceId } from "@keelson/arm";
import { opensshPublicKey, type Secret } from "@keelson/base";
import {
  controlPlaneReplicas,
  firstWorkerProfile,
  type MachineImage,
  managedGroupOf,
  type OpenShiftCluster,
  parseSubnetId,
  regionOf,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { InstallContext, Release } from "./install-context.ts";
import { machineImage } from "./machine-image.ts";

const podHostPrefix = 23;
const masterDiskSizeGB = 1024;

/** The capabilities of a managed cluster: all but bare metal. */
const capabilities = [
  ...["Build", "CloudControllerManager", "CloudCredential", "Console", "CSISnapshot", "DeploymentConfig"],
  ...["ImageRegistry", "Ingress", "Insights", "MachineAPI", "marketplace", "NodeTuning"],
  ...["openshift-samples", "OperatorLifecycleManager", "Storage"],
];

/** The repositories of OpenShift's images that the service mirrors. */
const mirrored = ["ocp-release", "ocp-release-nightly", "ocp-v4.0-art-dev"];
const releaseOrganization = "openshift-release-dev";

export interface InstallConfigRequest {
  readonly release: Release;
  readonly pullSecret: Secret;
}

/**
 * `install-config.yaml` of the cluster, with its secrets: the customer's network, the service's load balancers and DNS
 * records (openshift/installer-aro-wrapper pkg/installer/generateconfig.go).
 */
export function installConfig(context: InstallContext, { release, pullSecret }: InstallConfigRequest) {
  const { cluster } = context;
  const { properties } = cluster;
  const { networkProfile, masterProfile, clusterProfile, sshKey } = properties;
  const worker = firstWorkerProfile(cluster);
  const [name = "", ...parent] = context.domain.split(".");
  const machines = parseSubnetId(masterProfile.subnetId);
  const group = managedGroupOf(cluster);
  const isPrivate = properties.ingressProfiles[0]?.visibility === "Private";
  const [registry = ""] = release.installerPullspec.split("/");
  const image = machineImage(cluster, release);
  if (!sshKey) throw new Error("the cluster has no key for its machines yet");
  return {
    apiVersion: "v1",
    metadata: { name },
    baseDomain: parent.join("."),
    sshKey: opensshPublicKey(sshKey.reveal()),
    pullSecret: pullSecret.reveal(),
    fips: clusterProfile.fipsValidatedModules === "Enabled",
    publish: isPrivate ? "Internal" : "External",
    ...(usesWorkloadIdentity(cluster) ? { credentialsMode: "Manual" } : {}),
    networking: {
      networkType: networkProfile.softwareDefinedNetwork ?? "OVNKubernetes",
      // Required by the installer; the subnets decide.
      machineNetwork: [{ cidr: "127.0.0.0/8" }],
      clusterNetwork: [{ cidr: networkProfile.podCidr, hostPrefix: podHostPrefix }],
      serviceNetwork: [networkProfile.serviceCidr],
    },
    controlPlane: {
      ...machinePool("master", controlPlaneReplicas),
      platform: { azure: machinesOf(cluster, masterProfile, masterDiskSizeGB, image) },
    },
    compute: [
      {
        ...machinePool(worker.name, worker.count),
        platform: { azure: machinesOf(cluster, worker, worker.diskSizeGB, image) },
      },
    ],
    platform: {
      azure: {
        region: regionOf(cluster),
        cloudName: "AzurePublicCloud",
        resourceGroupName: group,
        // Required by the installer, which writes no public zone here.
        baseDomainResourceGroupName: group,
        networkResourceGroupName: machines.resourceGroup,
        virtualNetwork: machines.virtualNetwork,
        controlPlaneSubnet: machines.name,
        computeSubnet: parseSubnetId(worker.subnetId).name,
        outboundType: networkProfile.outboundType ?? "Loadbalancer",
        defaultMachinePlatform: { identity: { type: "None" } },
      },
    },
    imageDigestSources: mirrored.map((repository) => ({
      source: `quay.io/${releaseOrganization}/${repository}`,
      mirrors: [`${registry}/${releaseOrganization}/${repository}`],
    })),
    capabilities: { baselineCapabilitySet: "None", additionalEnabledCapabilities: capabilities },
  };
}

function machinePool(name: string, replicas: number) {
  return { name, replicas, architecture: "amd64", hyperthreading: "Enabled" } as const;
}

interface Machines {
  readonly vmSize: string;
  readonly encryptionAtHost?: string;
  readonly diskEncryptionSetId?: string;
}

function machinesOf(
  { properties }: OpenShiftCluster,
  machines: Machines,
  diskSizeGB: number,
  image: MachineImage,
) {
  const { zones } = properties;
  return {
    type: machines.vmSize,
    ...(zones && zones.length > 0 ? { zones } : {}),
    encryptionAtHost: machines.encryptionAtHost === "Enabled",
    osDisk: { diskSizeGB, ...diskEncryption(machines.diskEncryptionSetId) },
    osImage: { ...image, plan: "NoPurchasePlan" },
    bootDiagnostics: { type: "Managed" },
  };
}

function diskEncryption(id: string | undefined) {
  if (!id) return {};
  const parsed = parseResourceId(id);
  const name = parsed?.path.at(-1)?.[1];
  if (!parsed || !name) throw new Error(`${id} is not the ID of a disk encryption set`);
  const { subscriptionId, resourceGroup } = parsed;
  return { diskEncryptionSet: { subscriptionId, resourceGroup, name } };
}
