import { clusterId, resourceGroupId } from "@keelson/arm";
import type { Visibility } from "../options/cluster-options.ts";
import type { ClusterRef } from "../options/cluster-ref.ts";
import { embedded } from "../state/embedded-defaults.ts";
import type { Principal } from "../state/identity.ts";

/** ARM API version of the program's requests. */
export const clusterApiVersion = "2025-07-25";

/** Settings of a new cluster. The service or {@link clusterRequest} provides defaults for omitted settings. */
export interface ClusterSettings {
  readonly version?: string;
  readonly masterSize?: string;
  readonly workerSize?: string;
  readonly workerCount?: number;
  readonly apiserverVisibility?: Visibility;
  readonly ingressVisibility?: Visibility;
}

/** Managed identities of a cluster, as resource IDs. */
export interface ClusterIdentities {
  readonly cluster: string;
  readonly operators: Readonly<Record<string, string>>;
}

export type ClusterCredentials =
  | { readonly servicePrincipal: Principal }
  | { readonly identities: ClusterIdentities };

/** Returns the path and query of requests for a cluster. */
export function clusterPath(
  subscriptionId: string,
  { name, resourceGroup }: ClusterRef,
  suffix = "",
): string {
  return `${clusterId(subscriptionId, resourceGroup, name)}${suffix}?api-version=${clusterApiVersion}`;
}

/** Returns the resource ID of the virtual network that all clusters of the embedded world use. */
export function embeddedNetworkId(subscriptionId: string): string {
  const group = resourceGroupId(subscriptionId, embedded.networkResourceGroup);
  return `${group}/providers/Microsoft.Network/virtualNetworks/${embedded.virtualNetwork}`;
}

/**
 * Returns the body of a creation request. Settings that are omitted get these defaults: three masters and three workers, a public
 * API server and a public ingress.
 */
export function clusterRequest(
  { name }: ClusterRef,
  subscriptionId: string,
  credentials: ClusterCredentials,
  settings: ClusterSettings = {},
): object {
  const network = embeddedNetworkId(subscriptionId);
  const {
    version,
    masterSize = "Standard_D8s_v3",
    workerSize = "Standard_D4s_v3",
    workerCount = 3,
    apiserverVisibility = "Public",
    ingressVisibility = "Public",
  } = settings;
  const { identity, profiles } = credentialFields(credentials);
  return {
    location: embedded.location,
    ...identity,
    properties: {
      clusterProfile: {
        domain: name,
        resourceGroupId: resourceGroupId(subscriptionId, `aro-${name}`),
        fipsValidatedModules: "Disabled",
        ...(version === undefined ? {} : { version }),
      },
      ...profiles,
      networkProfile: { podCidr: "10.128.0.0/14", serviceCidr: "172.30.0.0/16" },
      masterProfile: {
        vmSize: masterSize,
        subnetId: `${network}/subnets/${name}-master`,
        encryptionAtHost: "Disabled",
      },
      workerProfiles: [
        {
          name: "worker",
          vmSize: workerSize,
          diskSizeGB: 128,
          subnetId: `${network}/subnets/${name}-worker`,
          count: workerCount,
          encryptionAtHost: "Disabled",
        },
      ],
      apiserverProfile: { visibility: apiserverVisibility },
      ingressProfiles: [{ name: "default", visibility: ingressVisibility }],
    },
  };
}

function credentialFields(credentials: ClusterCredentials): { identity: object; profiles: object } {
  if ("servicePrincipal" in credentials)
    return { identity: {}, profiles: { servicePrincipalProfile: credentials.servicePrincipal } };
  const { cluster, operators } = credentials.identities;
  const platformWorkloadIdentities = Object.fromEntries(
    Object.entries(operators).map(([operator, resourceId]) => [operator, { resourceId }]),
  );
  return {
    identity: { identity: { type: "UserAssigned", userAssignedIdentities: { [cluster]: {} } } },
    profiles: { platformWorkloadIdentityProfile: { platformWorkloadIdentities } },
  };
}
