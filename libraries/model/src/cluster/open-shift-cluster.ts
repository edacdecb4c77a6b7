import type { ProvisioningState, SystemData } from "@keelson/arm";
import type { Secret } from "@keelson/base";
import type { MaintenanceState, MaintenanceTask } from "./maintenance-state.ts";

export type Visibility = "Public" | "Private";
type EnabledOrDisabled = "Enabled" | "Disabled";
type OutboundType = "Loadbalancer" | "UserDefinedRouting";

/**
 * The internal cluster: one shape for all API versions, the only one that is stored.
 * Field names and meanings: the resource provider's document model. `Secret` members are encrypted at rest.
 */
export interface OpenShiftCluster {
  /** In the case in which its creator typed the URL; likewise `name` and `type`. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly systemData?: SystemData;
  /** Named `identity` by the API versions that know it. */
  readonly managedServiceIdentity?: ManagedServiceIdentity;
  readonly properties: ClusterProperties;
}

/** The identities of a workload identity cluster; exactly one is user-assigned. */
export interface ManagedServiceIdentity {
  readonly type?: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  /** Where the identity's credentials are fetched; never shown to clients. */
  readonly identityURL?: string;
  /** By resource ID, in the case in which the client wrote it. */
  readonly userAssignedIdentities?: Readonly<Record<string, UserAssignedIdentity>>;
}

/** Both members are filled by the backend. */
interface UserAssignedIdentity {
  readonly clientId?: string;
  readonly principalId?: string;
}

export interface ClusterProperties {
  readonly provisioningState: ProvisioningState;
  readonly lastProvisioningState?: ProvisioningState;
  readonly failedProvisioningState?: ProvisioningState;
  /** True when a creation failed of what may pass, before anything was made that could not be made again. */
  readonly creationResumable?: boolean;
  /** How the last maintenance failed; absent when it did not. */
  readonly lastAdminUpdateError?: string;
  /** Where Hive manages the cluster; absent where it does not. */
  readonly hiveProfile?: { readonly namespace?: string; readonly createdByHive?: boolean };
  /** Present while the maintenance that it names is waiting or running. */
  readonly maintenanceTask?: MaintenanceTask;
  readonly maintenanceState?: MaintenanceState;
  /** 1: two load balancers, one network security group. */
  readonly architectureVersion: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly provisionedBy?: string;
  readonly infraId?: string;
  readonly registryProfiles?: readonly RegistryProfile[];
  readonly storageSuffix?: string;
  /** Where the cluster's own registry keeps images. */
  readonly imageRegistryStorageAccountName?: string;
  readonly zones?: readonly string[];
  readonly operatorFlags?: Readonly<Record<string, string>>;
  /** The version to which administrators hold the in-cluster operator. */
  readonly operatorVersion?: string;
  readonly featureProfile?: { readonly gatewayEnabled?: boolean };
  readonly clusterProfile: ClusterProfile;
  readonly consoleProfile?: { readonly url?: string };
  readonly servicePrincipalProfile?: ServicePrincipalProfile;
  readonly platformWorkloadIdentityProfile?: PlatformWorkloadIdentityProfile;
  /** Identities that operators had before: until the backend has taken back what they were given. */
  readonly retiredIdentities?: readonly PlatformWorkloadIdentity[];
  /** What makes the service act as the cluster's own identity, as the backend fetched it: JSON. */
  readonly clusterIdentityCredentials?: Secret;
  readonly networkProfile: NetworkProfile;
  readonly masterProfile: MasterProfile;
  /** As the client asked for them; the live state is in `workerProfilesStatus`. */
  readonly workerProfiles: readonly WorkerProfile[];
  readonly workerProfilesStatus?: readonly WorkerProfile[];
  /** The requested number of workers that the service has carried out; 0 while it does so. */
  readonly scaledWorkerCount?: number;
  readonly apiserverProfile: ApiServerProfile;
  readonly ingressProfiles: readonly IngressProfile[];
  readonly install?: { readonly now: string; readonly phase: InstallPhase };
  readonly sshKey?: Secret;
  /** By which a master is known when the service connects to it by SSH. */
  readonly masterHostKeys?: readonly MasterHostKeys[];
  readonly adminKubeconfig?: Secret;
  readonly aroServiceKubeconfig?: Secret;
  readonly aroSREKubeconfig?: Secret;
  readonly userAdminKubeconfig?: Secret;
  readonly kubeadminPassword?: Secret;
  /**
   * What the installer generated: authorities, passwords. Once a cluster is installed it is in its storage account,
   * under `installGraphKey`; of clusters without that key it stays here.
   */
  readonly installState?: Secret;
  /** What seals the graph in the cluster's storage account: 32 bytes, base64. */
  readonly installGraphKey?: Secret;
}

export interface MasterHostKeys {
  /** 0 to 2. */
  readonly master: number;
  readonly vmName: string;
  /** As OpenSSH shows them: `SHA256:` and base64. */
  readonly fingerprints: readonly string[];
}

/** What a cluster pulls from one of the service's own registries with. */
export interface RegistryProfile {
  /** The registry's host. */
  readonly name: string;
  readonly username: string;
  /** Absent until the token named by `username` has been made. */
  readonly password?: Secret;
  /** RFC 3339: when the password was made. */
  readonly issueDate?: string;
}

type InstallPhase = "InstallPhaseBootstrap" | "InstallPhaseRemoveBootstrap";

export interface ClusterProfile {
  readonly pullSecret?: Secret;
  readonly domain: string;
  readonly version: string;
  /** Lower case. */
  readonly resourceGroupId: string;
  readonly fipsValidatedModules?: EnabledOrDisabled;
  /** Of a workload identity cluster, like the key that signs its service accounts' tokens. */
  readonly oidcIssuer?: string;
  readonly boundServiceAccountSigningKey?: Secret;
}

interface ServicePrincipalProfile {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly spObjectId?: string;
}

export interface PlatformWorkloadIdentityProfile {
  /** An OpenShift version `x.y.z` whose identities are accepted as well. */
  readonly upgradeableTo?: string;
  /** By the name of the operator that uses the identity. */
  readonly platformWorkloadIdentities?: Readonly<Record<string, PlatformWorkloadIdentity>>;
}

export interface PlatformWorkloadIdentity {
  readonly resourceId: string;
  /** Filled by the backend, like `objectId`; absent again when the resource ID changes. */
  readonly clientId?: string;
  readonly objectId?: string;
}

export interface NetworkProfile {
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly softwareDefinedNetwork?: "OVNKubernetes" | "OpenShiftSDN";
  readonly mtuSize?: 1500 | 3900;
  readonly outboundType?: OutboundType;
  readonly preconfiguredNSG?: EnabledOrDisabled;
  /** By which the service reaches the API server. */
  readonly privateEndpointIp?: string;
  /** By which the cluster reaches the service's gateway, and the ID of that link: its gateway document's ID. */
  readonly gatewayPrivateEndpointIp?: string;
  readonly gatewayPrivateLinkId?: string;
  readonly loadBalancerProfile?: LoadBalancerProfile;
}

interface LoadBalancerProfile {
  readonly managedOutboundIps?: { readonly count: number };
  readonly effectiveOutboundIps?: readonly { readonly id: string }[];
}

interface MasterProfile {
  readonly vmSize: string;
  readonly subnetId: string;
  readonly encryptionAtHost?: EnabledOrDisabled;
  readonly diskEncryptionSetId?: string;
}

export interface WorkerProfile {
  readonly name: string;
  readonly vmSize: string;
  readonly diskSizeGB: number;
  readonly subnetId: string;
  readonly count: number;
  readonly encryptionAtHost?: EnabledOrDisabled;
  readonly diskEncryptionSetId?: string;
}

interface ApiServerProfile {
  readonly visibility: Visibility;
  readonly url?: string;
  readonly ip?: string;
  readonly intIp?: string;
}

export interface IngressProfile {
  readonly name: string;
  readonly visibility: Visibility;
  readonly ip?: string;
}

/** True for a cluster with managed identities, false for one with a service principal. */
export function usesWorkloadIdentity(cluster: OpenShiftCluster): boolean {
  const { platformWorkloadIdentityProfile, servicePrincipalProfile } = cluster.properties;
  return platformWorkloadIdentityProfile !== undefined && servicePrincipalProfile === undefined;
}

/** `cluster` with some of its properties set. */
export function withProperties(
  cluster: OpenShiftCluster,
  properties: Partial<ClusterProperties>,
): OpenShiftCluster {
  return { ...cluster, properties: { ...cluster.properties, ...properties } };
}
