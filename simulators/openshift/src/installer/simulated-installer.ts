import { randomInt, randomUUID } from "node:crypto";
import { resourceNameOf } from "@keelson/arm";
import { createCertificateAuthority, issueCertificate, opensshPublicKey } from "@keelson/base";
import {
  type InstallContext,
  type Installer,
  type InstallState,
  isBootstrapComplete,
} from "@keelson/installers";
import {
  azureNames,
  controlPlaneReplicas,
  firstWorkerProfile,
  infraIdOf,
  managedGroupOf,
  networkSecurityGroupId,
  type OpenShiftCluster,
  parseSubnetId,
  regionOf,
  storageAccountNames,
  usesWorkloadIdentity,
} from "@keelson/model";
import { clusterProcessOf } from "../processes/cluster-process.ts";
import { type ClusterSettings, kubernetesVersionOf } from "../settings/cluster-settings.ts";
import { bootstrapFiles } from "./bootstrap-files.ts";
import { ensureMachine } from "./control-plane-machines.ts";
import { ignitionWithFiles, pointerIgnition } from "./ignition.ts";
import { kubeadminSecret } from "./kubeadmin-secret.ts";
import { machineImagesOf } from "./machine-images.ts";
import { routerService } from "./router-service.ts";
import { workerMachineSets } from "./worker-machine-sets.ts";

export interface SimulatedInstallerOptions {
  /** Base URL of the shared API server of all simulated clusters, for example `https://localhost:6443`. */
  readonly clustersUrl: string;
  /** Base URLs of the API servers of further processes. Default: one process runs all clusters. */
  readonly furtherClustersUrls?: readonly string[];
  /** CA of the API server's serving certificate. */
  readonly caPem: string;
}

const tenYearsInDays = 3650;

/**
 * Installs simulated clusters. Like real machines, the simulated machines boot from the Ignition configuration in their custom
 * data. The bootstrap machine's configuration contains the files of `openshift-install`.
 */
export function simulatedInstaller(options: SimulatedInstallerOptions): Installer {
  return {
    async generate({ cluster }) {
      const url = clusterUrl(options, infraIdOf(cluster));
      const [kubeconfigSigner, rootAuthority] = await Promise.all([
        createCertificateAuthority("admin-kubeconfig-signer", tenYearsInDays),
        createCertificateAuthority("root-ca", tenYearsInDays),
      ]);
      return {
        clusterId: randomUUID(),
        kubeconfigSigner,
        rootAuthority,
        kubeadminPassword: generatePassword(),
        apiServer: { url, internalUrl: url, internalCaPem: options.caPem, caPem: options.caPem },
      };
    },

    async createMachines(context, state) {
      const { cluster, domain } = context;
      const names = azureNames(infraIdOf(cluster));
      const zones = cluster.properties.zones ?? [];
      const masters = Array.from({ length: controlPlaneReplicas }, (_, index) => ({
        vmName: names.masterVm(index),
        nicName: names.masterNic(index),
        extraPools: [`ssh-${index}`],
        ignition: pointerIgnition(
          machineConfigHost(cluster, domain),
          "master",
          rootAuthorityOf(state).certificatePem,
        ),
        ...zoneAt(zones, index),
      }));
      const bootstrap = {
        vmName: names.bootstrapVm,
        nicName: names.bootstrapNic,
        extraPools: [],
        ignition: ignitionWithFiles(await filesOf(context, state)),
        ...zoneAt(zones, 0),
      };
      await Promise.all([bootstrap, ...masters].map((request) => ensureMachine(context, request)));
    },

    bootstrapComplete: isBootstrapComplete,
    async finish() {},
    async forget() {},
  };
}

/** Returns the URL of a cluster at the API server of the process that runs the cluster. */
function clusterUrl(
  { clustersUrl, furtherClustersUrls = [] }: SimulatedInstallerOptions,
  infraId: string,
): string {
  const urls = [clustersUrl, ...furtherClustersUrls];
  const url = urls[clusterProcessOf(infraId, urls.length)] ?? clustersUrl;
  return `${url.replace(/\/+$/, "")}/clusters/${infraId}`;
}

function zoneAt(zones: readonly string[], index: number): { readonly zone?: string } {
  const zone = zones[index % zones.length];
  return zone === undefined ? {} : { zone };
}

/** Returns the root CA. Installations of earlier releases have no root CA, so the kubeconfig signer is returned instead. */
function rootAuthorityOf({ rootAuthority, kubeconfigSigner }: InstallState) {
  return rootAuthority ?? kubeconfigSigner;
}

/**
 * Returns the host of the machine config server. Masters use the internal load balancer's address because DNS is not available
 * yet.
 */
function machineConfigHost({ properties }: OpenShiftCluster, domain: string): string {
  return properties.apiserverProfile.intIp ?? `api-int.${domain}`;
}

/** Returns the files of the bootstrap machine by path. */
async function filesOf(
  context: InstallContext,
  state: InstallState,
): Promise<Readonly<Record<string, string>>> {
  const { cluster, domain } = context;
  const rootAuthority = rootAuthorityOf(state);
  const { intIp } = cluster.properties.apiserverProfile;
  const machineConfigServer = await issueCertificate(rootAuthority, {
    commonName: "system:machine-config-server",
    dnsNames: [`api-int.${domain}`],
    ...(intIp ? { ipAddresses: [intIp] } : {}),
    usage: "server",
    validDays: tenYearsInDays,
  });
  const [router] = routerService(cluster);
  return bootstrapFiles({
    settings: settingsOf(context, state),
    rootAuthority,
    machineConfigServer,
    machineConfigHost: machineConfigHost(cluster, domain),
    kubeadmin: await kubeadminSecret(state),
    workerMachineSets: workerMachineSets(cluster, await machineImagesOf(context)),
    routerService: router,
    ...(await credentialsOf(context)),
  });
}

/**
 * Returns the Secret with the service principal's credentials. For managed identities, returns the manifests and the signing key
 * for service account tokens.
 */
async function credentialsOf(context: InstallContext) {
  const credentials = await context.operatorCredentials();
  if (!usesWorkloadIdentity(context.cluster)) {
    const [cloudCredentials, ...manifests] = credentials;
    return { ...(cloudCredentials ? { cloudCredentials } : {}), manifests };
  }
  const { boundServiceAccountSigningKey } = context.cluster.properties.clusterProfile;
  if (!boundServiceAccountSigningKey) throw new Error("the cluster has no key for its service accounts yet");
  return { manifests: credentials, boundServiceAccountSigningKey };
}

function settingsOf(context: InstallContext, state: InstallState): ClusterSettings {
  const { cluster, subscription, tenantId } = context;
  const infraId = infraIdOf(cluster);
  const names = azureNames(infraId);
  const { masterProfile, clusterProfile, networkProfile, sshKey } = cluster.properties;
  const controlPlane = parseSubnetId(masterProfile.subnetId);
  const { registry } = storageAccountNames(cluster);
  return {
    version: 1,
    infraId,
    clusterId: state.clusterId,
    domain: context.domain,
    openShiftVersion: clusterProfile.version,
    kubernetesVersion: kubernetesVersionOf(clusterProfile.version),
    clientCertificateAuthorities: [state.kubeconfigSigner.certificatePem],
    sshAuthorizedKeys: sshKey ? [opensshPublicKey(sshKey.reveal())] : [],
    platform: {
      subscriptionId: subscription.id,
      tenantId,
      location: regionOf(cluster),
      resourceGroup: managedGroupOf(cluster),
      networkResourceGroup: controlPlane.resourceGroup,
      virtualNetwork: controlPlane.virtualNetwork,
      controlPlaneSubnet: controlPlane.name,
      computeSubnet: parseSubnetId(firstWorkerProfile(cluster).subnetId).name,
      networkSecurityGroup: resourceNameOf(networkSecurityGroupId(cluster)),
      ...(networkProfile.outboundType === "Loadbalancer"
        ? { publicLoadBalancer: names.publicLoadBalancer }
        : {}),
      internalLoadBalancer: names.internalLoadBalancer,
      ...(registry ? { registryStorageAccount: registry } : {}),
    },
    controlPlane: {
      replicas: controlPlaneReplicas,
      vmSize: masterProfile.vmSize,
      zones: cluster.properties.zones ?? [],
    },
  };
}

const passwordAlphabet = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ";

/** Generates a `kubeadmin` password in the installer's format: four groups of five characters. */
function generatePassword(): string {
  const group = () =>
    Array.from({ length: 5 }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
