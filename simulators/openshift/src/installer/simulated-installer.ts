import { randomInt, randomUUID } from "node:crypto";
import { resourceNameOf } from "@keelson/arm";
import { createCertificateAuthority, opensshPublicKey } from "@keelson/base";
import {
  type InstallContext,
  type Installer,
  type InstallState,
  isBootstrapComplete,
  type Release,
} from "@keelson/installers";
import type { KubeObject } from "@keelson/kube";
import {
  azureNames,
  controlPlaneReplicas,
  firstWorkerProfile,
  infraIdOf,
  managedGroupOf,
  networkSecurityGroupId,
  parseSubnetId,
  regionOf,
  storageAccountNames,
  usesWorkloadIdentity,
} from "@keelson/model";
import { machineNamespace } from "../controllers/nodes/node-object.ts";
import { ensureMachine } from "./control-plane-machines.ts";
import { ignitionWithFiles, pointerIgnition } from "./ignition.ts";
import { kubeadminSecret } from "./kubeadmin-secret.ts";
import { machineImagesOf } from "./machine-images.ts";
import { routerService } from "./router-service.ts";
import { workerMachineSets } from "./worker-machine-sets.ts";

export interface SimulatedInstallerOptions {
  /** Base URL of the API server that all simulated clusters share, for example `https://localhost:6443`. */
  readonly clustersUrl: string;
  /** The authority of its serving certificate. */
  readonly caPem: string;
}

const tenYearsInDays = 3650;

/**
 * Installs simulated clusters. Their machines boot as real ones do: from the ignition in their custom data, which on
 * the bootstrap machine has the files of `openshift-install`.
 */
export function simulatedInstaller(options: SimulatedInstallerOptions): Installer {
  return {
    async generate({ cluster }) {
      const url = `${options.clustersUrl.replace(/\/+$/, "")}/clusters/${infraIdOf(cluster)}`;
      return {
        clusterId: randomUUID(),
        kubeconfigSigner: await createCertificateAuthority("admin-kubeconfig-signer", tenYearsInDays),
        kubeadminPassword: generatePassword(),
        apiServer: { url, internalUrl: url, internalCaPem: options.caPem, caPem: options.caPem },
      };
    },

    async createMachines(context, state) {
      const names = azureNames(infraIdOf(context.cluster));
      const zones = context.cluster.properties.zones ?? [];
      const masters = Array.from({ length: controlPlaneReplicas }, (_, index) => ({
        vmName: names.masterVm(index),
        nicName: names.masterNic(index),
        extraPools: [`ssh-${index}`],
        ignition: pointerIgnition(context.domain, "master"),
        ...zoneAt(zones, index),
      }));
      const bootstrap = {
        vmName: names.bootstrapVm,
        nicName: names.bootstrapNic,
        extraPools: [],
        ignition: ignitionWithFiles(await bootstrapFiles(context, state)),
        ...zoneAt(zones, 0),
      };
      await Promise.all([bootstrap, ...masters].map((request) => ensureMachine(context, request)));
    },

    bootstrapComplete: isBootstrapComplete,
    async finish() {},
    async forget() {},
  };
}

function zoneAt(zones: readonly string[], index: number): { readonly zone?: string } {
  const zone = zones[index % zones.length];
  return zone === undefined ? {} : { zone };
}

/** The files from which the bootstrap machine makes the cluster, by path. */
async function bootstrapFiles(
  context: InstallContext,
  state: InstallState,
): Promise<Record<string, unknown>> {
  const credentials = await context.operatorCredentials();
  const release = await machineImagesOf(context);
  if (!usesWorkloadIdentity(context.cluster)) {
    const { clientId, clientSecret } = context.servicePrincipal();
    const servicePrincipal = { clientId, clientSecret: clientSecret.reveal() };
    return { [clusterFile]: { ...bootstrapFile(context, state, credentials, release), servicePrincipal } };
  }
  const signingKey = context.cluster.properties.clusterProfile.boundServiceAccountSigningKey;
  if (!signingKey) throw new Error("the cluster has no key for its service accounts yet");
  return {
    [clusterFile]: bootstrapFile(context, state, credentials, release),
    "/opt/openshift/tls/bound-service-account-signing-key.key": signingKey.reveal(),
  };
}

const clusterFile = "/opt/openshift/cluster.json";

function bootstrapFile(
  context: InstallContext,
  state: InstallState,
  credentials: readonly KubeObject[],
  release: Pick<Release, "machineImages">,
) {
  const { cluster, subscription, tenantId, azureEnvironment: azure } = context;
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
    clientCertificateAuthorities: [state.kubeconfigSigner.certificatePem],
    sshAuthorizedKeys: sshKey ? [opensshPublicKey(sshKey.reveal())] : [],
    platform: {
      armEndpoint: azure.armEndpoint,
      loginEndpoint: azure.loginEndpoint,
      audience: azure.audience,
      ...(azure.caPem ? { caPem: azure.caPem } : {}),
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
    manifests: [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: machineNamespace } },
      ...credentials,
      kubeadminSecret(state),
      ...routerService(cluster),
      ...workerMachineSets(cluster, release),
    ],
  };
}

const passwordAlphabet = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ";

/** The password of `kubeadmin` in the installer's form: four groups of five characters. */
function generatePassword(): string {
  const group = () =>
    Array.from({ length: 5 }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
