// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  PlatformWorkloadIdentityRoleSetOperations,
  type OpenShiftCluster,
  type OpenShiftClusterUpdate,
  type PlatformWorkloadIdentityRoleSet,
} from "./2024-08-12-preview.ts";
export {
  PlatformWorkloadIdentityRoleSetOperations,
  type ClusterProfile,
  type ManagedServiceIdentity,
  type ManagedServiceIdentityType,
  type OpenShiftCluster,
  type OpenShiftClusterProperties,
  type OpenShiftClusterUpdate,
  type PlatformWorkloadIdentity,
  type PlatformWorkloadIdentityProfile,
  type PlatformWorkloadIdentityRole,
  type PlatformWorkloadIdentityRoleSet,
  type PlatformWorkloadIdentityRoleSetProperties,
  type UserAssignedIdentity,
  type uuid,
} from "./2024-08-12-preview.ts";
export {
  type APIServerProfile,
  type ConsoleProfile,
  type IngressProfile,
  type LoadBalancerProfile,
  type NetworkProfile,
  type ProvisioningState,
} from "./2023-11-22.ts";
import {
  type Operation,
} from "./2019-12-31-preview.ts";
export {
  type CloudError,
  type CloudErrorBody,
  type Display,
  type Operation,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
} from "./2019-12-31-preview.ts";
export {
  type EffectiveOutboundIP,
  type ManagedOutboundIPs,
} from "./2023-07-01-preview.ts";
export {
  type EncryptionAtHost,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
} from "./2021-09-01-preview.ts";
export {
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
import {
  type OpenShiftVersion,
} from "./2022-09-04.ts";
export {
  type OpenShiftVersion,
  type OpenShiftVersionProperties,
  type ProxyResource,
} from "./2022-09-04.ts";
export {
  type OutboundType,
} from "./2023-04-01.ts";
export {
  type PreconfiguredNSG,
} from "./2023-09-04.ts";

export const apiVersion = "2025-07-25";

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

export class OperationsOperations extends shared.Operations_2019_12_31_preview<Operation> {}

export class OpenShiftVersionsOperations extends shared.OpenShiftVersions_2024_08_12_preview<OpenShiftVersion> {}

export class PlatformWorkloadIdentityRoleSetsOperations extends shared.PlatformWorkloadIdentityRoleSets_2024_08_12_preview<PlatformWorkloadIdentityRoleSet> {}

export class OpenShiftClustersOperations extends shared.OpenShiftClusters_2021_09_01_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterAdminKubeconfig, OpenShiftClusterCredentials> {
  protected readonly sends = {
    createOrUpdate: {"members":["tags","location","properties","identity"],"readOnly":["properties.clusterProfile.oidcIssuer","properties.consoleProfile.url","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.clientId","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.objectId","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip","identity.principalId","identity.tenantId","identity.userAssignedIdentities.*.principalId","identity.userAssignedIdentities.*.clientId"]},
    update: {"members":["tags","properties","identity"],"readOnly":["properties.clusterProfile.oidcIssuer","properties.consoleProfile.url","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.clientId","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.objectId","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip","identity.principalId","identity.tenantId","identity.userAssignedIdentities.*.principalId","identity.userAssignedIdentities.*.clientId"]},
  };
}

/** Administrator's access to the cluster's API. */
export interface OpenShiftClusterAdminKubeconfig {
  /** The kubeconfig, in base64. */
  kubeconfig?: Password;
}

/** Credentials of kubeadmin. */
export interface OpenShiftClusterCredentials {
  /** The name of the user. */
  kubeadminUsername?: string;
  /** The password of the user. */
  kubeadminPassword?: Password;
}

/** One page of clusters. */
export interface OpenShiftClusterList {
  /** The elements of this page. */
  value: Array<OpenShiftCluster>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** One page of versions. */
export interface OpenShiftVersionList {
  /** The elements of this page. */
  value: Array<OpenShiftVersion>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** One page of the provider's operations. */
export interface OperationList {
  /** The elements of this page. */
  value: Array<Operation>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** Secret string, which only the response to this request contains. */
export type Password = string;

/** One page of role sets. */
export interface PlatformWorkloadIdentityRoleSetList {
  /** The elements of this page. */
  value: Array<PlatformWorkloadIdentityRoleSet>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}
