import { randomInt, randomUUID } from "node:crypto";
import { resourceNameOf } from "@keelson/arm";
import { createCertificateAuthority } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ClusterContext } from "../context.ts";
import { textAt } from "../kube-fields.ts";
import { azureNames } from "../names.ts";
import { azureCredentials } from "../steps/azure-credentials.ts";
import {
  controlPlaneReplicas,
  domainOf,
  firstWorkerProfile,
  infraIdOf,
  managedGroupOf,
  networkSecurityGroupId,
  parseSubnetId,
  regionOf,
  servicePrincipalOf,
} from "../steps/cluster-facts.ts";
import { ensureMachine } from "./control-plane-machines.ts";
import { ignitionWithFiles, pointerIgnition } from "./ignition.ts";
import type { Installer, InstallState } from "./installer.ts";
import { kubeadminSecret } from "./kubeadmin-secret.ts";
import { machineNamespace, workerMachineSets } from "./worker-machine-sets.ts";

export interface SimulatedInstallerOptions {
  /** Base URL of the API server that all simulated clusters share, for example `https://localhost:6443`. */
  readonly clustersUrl: string;
  /** The authority of its serving certificate. */
  readonly caPem: string;
}

const tenYearsInDays = 3650;

/**
 * Installs clusters whose machines are simulated. They boot as real ones do: from the ignition in their custom
 * data, which on the bootstrap machine holds what `openshift-install` would have put there.
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
      const { fullName } = domainOf(context);
      const zones = context.cluster.properties.zones ?? [];
      const masters = Array.from({ length: controlPlaneReplicas }, (_, index) => ({
        vmName: names.masterVm(index),
        nicName: names.masterNic(index),
        extraPools: [`ssh-${index}`],
        ignition: pointerIgnition(fullName, "master"),
        ...zoneAt(zones, index),
      }));
      const bootstrap = {
        vmName: names.bootstrapVm,
        nicName: names.bootstrapNic,
        extraPools: [],
        ignition: ignitionWithFiles({ "/opt/openshift/cluster.json": bootstrapFile(context, state) }),
        ...zoneAt(zones, 0),
      };
      await Promise.all([bootstrap, ...masters].map((request) => ensureMachine(context, request)));
    },

    async bootstrapComplete({ kube, signal }) {
      const status = await kube().find(
        resources.configMaps,
        { namespace: "kube-system", name: "bootstrap" },
        signal,
      );
      return textAt(status, "data", "status") === "complete";
    },
  };
}

function zoneAt(zones: readonly string[], index: number): { readonly zone?: string } {
  const zone = zones[index % zones.length];
  return zone === undefined ? {} : { zone };
}

/** What the bootstrap machine makes the cluster from. */
function bootstrapFile(context: ClusterContext, state: InstallState) {
  const { cluster, environment, subscription } = context;
  const infraId = infraIdOf(cluster);
  const names = azureNames(infraId);
  const { masterProfile, clusterProfile, networkProfile } = cluster.properties;
  const controlPlane = parseSubnetId(masterProfile.subnetId);
  const { clientId, clientSecret, tenantId } = servicePrincipalOf(context);
  const { azure } = environment;
  return {
    version: 1,
    infraId,
    clusterId: state.clusterId,
    domain: domainOf(context).fullName,
    openShiftVersion: clusterProfile.version,
    clientCertificateAuthorities: [state.kubeconfigSigner.certificatePem],
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
    },
    servicePrincipal: { clientId, clientSecret: clientSecret.reveal() },
    controlPlane: { replicas: controlPlaneReplicas, vmSize: masterProfile.vmSize },
    manifests: manifests(context, state),
  };
}

function manifests(context: ClusterContext, state: InstallState): readonly unknown[] {
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: machineNamespace } },
    azureCredentials(context),
    kubeadminSecret(state),
    ...workerMachineSets(context.cluster),
  ];
}

const passwordAlphabet = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ";

/** The password of `kubeadmin` in the installer's form: four groups of five characters. */
function generatePassword(): string {
  const group = () =>
    Array.from({ length: 5 }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
