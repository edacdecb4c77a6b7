// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
  type OpenShiftClusterCredentials,
  type ServicePrincipalProfile,
} from "./2019-12-31-preview.ts";
export {
  OperationsOperations,
  type CloudError,
  type CloudErrorBody,
  type Display,
  type OpenShiftClusterCredentials,
  type Operation,
  type OperationList,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
} from "./2019-12-31-preview.ts";
import {
  type APIServerProfile,
  type ConsoleProfile,
  type IngressProfile,
  type NetworkProfile,
  type ProvisioningState,
} from "./2023-11-22.ts";
export {
  type APIServerProfile,
  type ConsoleProfile,
  type IngressProfile,
  type LoadBalancerProfile,
  type NetworkProfile,
  type ProvisioningState,
} from "./2023-11-22.ts";
export {
  type EffectiveOutboundIP,
  type ManagedOutboundIPs,
} from "./2023-07-01-preview.ts";
import {
  type OpenShiftClusterAdminKubeconfig,
  type TrackedResource,
} from "./2021-09-01-preview.ts";
export {
  type EncryptionAtHost,
  type OpenShiftClusterAdminKubeconfig,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
} from "./2021-09-01-preview.ts";
import {
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
export {
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
import {
  type OpenShiftVersion,
  type ProxyResource,
} from "./2022-09-04.ts";
export {
  type OpenShiftVersion,
  type OpenShiftVersionList,
  type OpenShiftVersionProperties,
  type ProxyResource,
} from "./2022-09-04.ts";
export {
  type OutboundType,
} from "./2023-04-01.ts";
export {
  type PreconfiguredNSG,
} from "./2023-09-04.ts";

export const apiVersion = "2024-08-12-preview";

/** Managed OpenShift clusters as resources of Azure Resource Manager. */
export class RedHatOpenShiftClient {
  readonly operations: OperationsOperations;
  readonly openShiftVersions: OpenShiftVersionsOperations;
  readonly platformWorkloadIdentityRoleSets: PlatformWorkloadIdentityRoleSetsOperations;
  readonly platformWorkloadIdentityRoleSet: PlatformWorkloadIdentityRoleSetOperations;
  readonly openShiftClusters: OpenShiftClustersOperations;

  constructor(credential: TokenCredential, subscriptionId: string, options: ClientOptions = {}) {
    const connection = new ArmConnection({ ...options, apiVersion, credential, subscriptionId });
    this.operations = new OperationsOperations(connection);
    this.openShiftVersions = new OpenShiftVersionsOperations(connection);
    this.platformWorkloadIdentityRoleSets = new PlatformWorkloadIdentityRoleSetsOperations(connection);
    this.platformWorkloadIdentityRoleSet = new PlatformWorkloadIdentityRoleSetOperations(connection);
    this.openShiftClusters = new OpenShiftClustersOperations(connection);
  }
}

export class OpenShiftVersionsOperations extends shared.OpenShiftVersions_2024_08_12_preview<OpenShiftVersion> {}

export class PlatformWorkloadIdentityRoleSetsOperations extends shared.PlatformWorkloadIdentityRoleSets_2024_08_12_preview<PlatformWorkloadIdentityRoleSet> {}

export class PlatformWorkloadIdentityRoleSetOperations extends shared.PlatformWorkloadIdentityRoleSet_2024_08_12_preview<PlatformWorkloadIdentityRoleSet> {}

export class OpenShiftClustersOperations extends shared.OpenShiftClusters_2021_09_01_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterAdminKubeconfig, OpenShiftClusterCredentials> {
  protected readonly sends = {
    createOrUpdate: {"members":["tags","location","properties","identity"],"readOnly":["properties.clusterProfile.oidcIssuer","properties.consoleProfile.url","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.clientId","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.objectId","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip","identity.principalId","identity.tenantId","identity.userAssignedIdentities.*.principalId","identity.userAssignedIdentities.*.clientId"]},
    update: {"members":["tags","properties","identity"],"readOnly":["properties.clusterProfile.oidcIssuer","properties.consoleProfile.url","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.clientId","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.objectId","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip","identity.principalId","identity.tenantId","identity.userAssignedIdentities.*.principalId","identity.userAssignedIdentities.*.clientId"]},
  };
}

/** Profile of a cluster. */
export interface ClusterProfile {
  /** Pull secret for Red Hat's registries, as JSON. Never returned. */
  pullSecret?: string;
  /** DNS domain of the cluster, or a label below the service's domain. */
  domain?: string;
  /** The version of OpenShift. */
  version?: string;
  /** Resource ID of the managed resource group, which contains the cluster's Azure resources. */
  resourceGroupId?: string;
  /** State of FIPS-validated cryptography modules. */
  fipsValidatedModules?: FipsValidatedModules;
  /** OIDC issuer of the tokens for the cluster's identities. */
  readonly oidcIssuer?: string;
}

/** Managed service identity (system assigned and/or user assigned identities) */
export interface ManagedServiceIdentity {
  /** The service principal ID of the system assigned identity. This property will only be provided for a system assigned identity. */
  readonly principalId?: uuid;
  /** The tenant ID of the system assigned identity. This property will only be provided for a system assigned identity. */
  readonly tenantId?: uuid;
  /** The type of managed identity assigned to this resource. */
  type: ManagedServiceIdentityType;
  /** The identities assigned to this resource by the user. */
  userAssignedIdentities?: Record<string, UserAssignedIdentity | null>;
}

/** Type of managed service identity (where both SystemAssigned and UserAssigned types are allowed). */
export type ManagedServiceIdentityType = "None" | "SystemAssigned" | "UserAssigned" | "SystemAssigned,UserAssigned" | (string & {});

/** An OpenShift cluster. */
export interface OpenShiftCluster extends TrackedResource {
  /** The cluster's own properties. */
  properties?: OpenShiftClusterProperties;
  /** The managed service identities assigned to this resource. */
  identity?: ManagedServiceIdentity;
}

/** One page of clusters. */
export interface OpenShiftClusterList {
  /** The elements of this page. */
  value?: Array<OpenShiftCluster>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** The properties of a cluster. */
export interface OpenShiftClusterProperties {
  /** The provisioning state. */
  provisioningState?: ProvisioningState;
  /** The cluster's own settings. */
  clusterProfile?: ClusterProfile;
  /** The web console. */
  consoleProfile?: ConsoleProfile;
  /** The service principal with which the cluster calls Azure. */
  servicePrincipalProfile?: ServicePrincipalProfile;
  /** The managed identities with which the cluster's operators call Azure. */
  platformWorkloadIdentityProfile?: PlatformWorkloadIdentityProfile;
  /** The network. */
  networkProfile?: NetworkProfile;
  /** The machines of the control plane. */
  masterProfile?: MasterProfile;
  /** The requested workers. */
  workerProfiles?: Array<WorkerProfile>;
  /** The existing workers. */
  readonly workerProfilesStatus?: Array<WorkerProfile>;
  /** The API server. */
  apiserverProfile?: APIServerProfile;
  /** The ingress endpoints of applications. */
  ingressProfiles?: Array<IngressProfile>;
}

/** Update of a cluster. */
export interface OpenShiftClusterUpdate {
  /** Resource tags. They replace all existing tags. */
  tags?: Record<string, string>;
  /** The cluster's properties. */
  properties?: OpenShiftClusterProperties;
  /** Managed identities of the cluster. */
  identity?: ManagedServiceIdentity;
}

/** The managed identity of an operator. */
export interface PlatformWorkloadIdentity {
  /** Resource ID of the managed identity. */
  resourceId?: string;
  /** Client ID of the managed identity. */
  readonly clientId?: string;
  /** Object ID of the managed identity. */
  readonly objectId?: string;
}

/** The managed identities of a cluster's operators. */
export interface PlatformWorkloadIdentityProfile {
  /** The version of OpenShift to which the identities allow an upgrade. */
  upgradeableTo?: string;
  /** The identities by operator name. */
  platformWorkloadIdentities?: Record<string, PlatformWorkloadIdentity>;
}

/** The role that the identity of an operator needs. */
export interface PlatformWorkloadIdentityRole {
  /** The name of the operator. */
  operatorName?: string;
  /** The name of the role. */
  roleDefinitionName?: string;
  /** The resource ID of the role. */
  roleDefinitionId?: string;
}

/** The roles that the identities of a version's operators need. */
export interface PlatformWorkloadIdentityRoleSet extends ProxyResource {
  /** The resource-specific properties for this resource. */
  properties?: PlatformWorkloadIdentityRoleSetProperties;
}

/** One page of role sets. */
export interface PlatformWorkloadIdentityRoleSetList {
  /** The elements of this page. */
  value?: Array<PlatformWorkloadIdentityRoleSet>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** The roles for a minor version. */
export interface PlatformWorkloadIdentityRoleSetProperties {
  /** The minor version, as in 4.16. */
  openShiftVersion?: string;
  /** The role of each operator. */
  platformWorkloadIdentityRoles?: Array<PlatformWorkloadIdentityRole>;
}

/** User assigned identity properties */
export interface UserAssignedIdentity {
  /** The principal ID of the assigned identity. */
  readonly principalId?: uuid;
  /** The client ID of the assigned identity. */
  readonly clientId?: uuid;
}

/** Universally Unique Identifier */
export type uuid = string;
