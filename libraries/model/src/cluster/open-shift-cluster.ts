import type { ProvisioningState, SystemData } from "@keelson/arm";
import type { Secret } from "@keelson/base";
import type { MaintenanceState, MaintenanceTask } from "./maintenance-state.ts";

export type Visibility = "Public" | "Private";
type EnabledOrDisabled = "Enabled" | "Disabled";
type OutboundType = "Loadbalancer" | "UserDefinedRouting";

/**
 * Internal form of a cluster, in which clusters of all API versions are stored. Fields have the names and meanings of the cluster
 * document in Azure/ARO-RP. `Secret` fields are stored encrypted.
 */
export interface OpenShiftCluster {
  /**
   * Resource ID in the letter case of the URL that created the cluster. `name` and `type` also have the letter case of that URL.
   */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly systemData?: SystemData;
  /** Managed identity of the cluster. API versions name this property `identity`. */
  readonly managedServiceIdentity?: ManagedServiceIdentity;
  readonly properties: ClusterProperties;
}

/** Managed identity of a workload identity cluster. There is exactly one user-assigned identity. */
export interface ManagedServiceIdentity {
  readonly type?: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  /** URL for the identity's credentials. Responses to clients never contain the URL. */
  readonly identityURL?: string;
  /** Identities by resource ID, in the letter case of the request. */
  readonly userAssignedIdentities?: Readonly<Record<string, UserAssignedIdentity>>;
}

/** IDs of a managed identity. The backend sets these IDs. */
interface UserAssignedIdentity {
  readonly clientId?: string;
  readonly principalId?: string;
}

export interface ClusterProperties {
  readonly provisioningState: ProvisioningState;
  readonly lastProvisioningState?: ProvisioningState;
  readonly failedProvisioningState?: ProvisioningState;
  /** True if a failed creation can be repeated, because a temporary error stopped it before the first irreversible step. */
  readonly creationResumable?: boolean;
  /** Error of the last maintenance. Undefined after successful maintenance. */
  readonly lastAdminUpdateError?: string;
  /** Hive's data about the cluster. Undefined if Hive does not manage it. */
  readonly hiveProfile?: { readonly namespace?: string; readonly createdByHive?: boolean };
  /** Maintenance task that is queued or running. Undefined if there is none. */
  readonly maintenanceTask?: MaintenanceTask;
  readonly maintenanceState?: MaintenanceState;
  /** Architecture of the cluster's network. 1 means two load balancers and one network security group. */
  readonly architectureVersion: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly provisionedBy?: string;
  readonly infraId?: string;
  readonly registryProfiles?: readonly RegistryProfile[];
  readonly storageSuffix?: string;
  /** Storage account name of the cluster's image registry. */
  readonly imageRegistryStorageAccountName?: string;
  readonly zones?: readonly string[];
  readonly operatorFlags?: Readonly<Record<string, string>>;
  /** Operator version that administrators have pinned. */
  readonly operatorVersion?: string;
  readonly featureProfile?: { readonly gatewayEnabled?: boolean };
  readonly clusterProfile: ClusterProfile;
  readonly consoleProfile?: { readonly url?: string };
  readonly servicePrincipalProfile?: ServicePrincipalProfile;
  readonly platformWorkloadIdentityProfile?: PlatformWorkloadIdentityProfile;
  /** Identities that operators used before. The backend revokes their permissions and then removes them from this list. */
  readonly retiredIdentities?: readonly PlatformWorkloadIdentity[];
  /** Credentials of the cluster's own identity as JSON. The backend fetches them. */
  readonly clusterIdentityCredentials?: Secret;
  readonly networkProfile: NetworkProfile;
  readonly masterProfile: MasterProfile;
  /** Requested workers. The existing workers are in `workerProfilesStatus`. */
  readonly workerProfiles: readonly WorkerProfile[];
  readonly workerProfilesStatus?: readonly WorkerProfile[];
  /** Number of workers that the service last set in the cluster. 0 while a scaling is incomplete. */
  readonly scaledWorkerCount?: number;
  readonly apiserverProfile: ApiServerProfile;
  readonly ingressProfiles: readonly IngressProfile[];
  readonly install?: { readonly now: string; readonly phase: InstallPhase };
  readonly sshKey?: Secret;
  /** SSH host keys of the masters. The service verifies its SSH connections with them. */
  readonly masterHostKeys?: readonly MasterHostKeys[];
  readonly adminKubeconfig?: Secret;
  readonly aroServiceKubeconfig?: Secret;
  readonly aroSREKubeconfig?: Secret;
  readonly userAdminKubeconfig?: Secret;
  readonly kubeadminPassword?: Secret;
  /**
   * Certificate authorities and passwords that the installer generated. After the installation, they are in the cluster's storage
   * account, encrypted with `installGraphKey`. For clusters without `installGraphKey`, they stay in this field.
   */
  readonly installState?: Secret;
  /** Encryption key of the installer graph in the cluster's storage account: 32 bytes in base64. */
  readonly installGraphKey?: Secret;
}

export interface MasterHostKeys {
  /** Index of the master, 0 to 2. */
  readonly master: number;
  readonly vmName: string;
  /** Key fingerprints in OpenSSH format: `SHA256:` and base64. */
  readonly fingerprints: readonly string[];
}

/** Credentials with which a cluster pulls images from the service's registry. */
export interface RegistryProfile {
  /** Host of the registry. */
  readonly name: string;
  readonly username: string;
  /** Password of the token `username`. Undefined until the token exists. */
  readonly password?: Secret;
  /** Creation time of the password (RFC 3339). */
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
  /**
   * URL of the OIDC issuer of a workload identity cluster. The key `boundServiceAccountSigningKey` signs the tokens of this
   * issuer.
   */
  readonly oidcIssuer?: string;
  readonly boundServiceAccountSigningKey?: Secret;
}

interface ServicePrincipalProfile {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly spObjectId?: string;
}

export interface PlatformWorkloadIdentityProfile {
  /**
   * OpenShift version `x.y.z` to which the customer intends to upgrade. The cluster may then also have the identities that this
   * minor version requires.
   */
  readonly upgradeableTo?: string;
  /** Managed identities by operator name. */
  readonly platformWorkloadIdentities?: Readonly<Record<string, PlatformWorkloadIdentity>>;
}

export interface PlatformWorkloadIdentity {
  readonly resourceId: string;
  /**
   * Client ID of the identity. The backend sets this field and `objectId`. Both fields are removed when the resource ID changes.
   */
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
  /** IP address of the private endpoint through which the service reaches the API server. */
  readonly privateEndpointIp?: string;
  /**
   * IP address of the private endpoint through which the cluster reaches the service's gateway. `gatewayPrivateLinkId` is also
   * the ID of the cluster's gateway document.
   */
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

/** True for a cluster with managed identities. False for a cluster with a service principal. */
export function usesWorkloadIdentity(cluster: OpenShiftCluster): boolean {
  const { platformWorkloadIdentityProfile, servicePrincipalProfile } = cluster.properties;
  return platformWorkloadIdentityProfile !== undefined && servicePrincipalProfile === undefined;
}

/** Returns `cluster` with changed properties. */
export function withProperties(
  cluster: OpenShiftCluster,
  properties: Partial<ClusterProperties>,
): OpenShiftCluster {
  return { ...cluster, properties: { ...cluster.properties, ...properties } };
}
