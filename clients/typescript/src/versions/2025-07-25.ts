// Made by `make generate` from api/, where changes belong.
import {
  ArmConnection,
  type ClientOptions,
  type OperationOptions,
  type OperationState,
  type PagedAsyncIterableIterator,
  type PollerLike,
  type TokenCredential,
} from "../connection/arm-connection.ts";
import {
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
};
import {
  type APIServerProfile,
  type ConsoleProfile,
  type IngressProfile,
  type LoadBalancerProfile,
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
};
import {
  type CloudError,
  type CloudErrorBody,
  type Display,
  type Operation,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
} from "./2019-12-31-preview.ts";
export {
  type CloudError,
  type CloudErrorBody,
  type Display,
  type Operation,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
};
import {
  type EffectiveOutboundIP,
  type ManagedOutboundIPs,
} from "./2023-07-01-preview.ts";
export {
  type EffectiveOutboundIP,
  type ManagedOutboundIPs,
};
import {
  type EncryptionAtHost,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
} from "./2021-09-01-preview.ts";
export {
  type EncryptionAtHost,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
};
import {
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
export {
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
};
import {
  type OpenShiftVersion,
  type OpenShiftVersionProperties,
  type ProxyResource,
} from "./2022-09-04.ts";
export {
  type OpenShiftVersion,
  type OpenShiftVersionProperties,
  type ProxyResource,
};
import {
  type OutboundType,
} from "./2023-04-01.ts";
export {
  type OutboundType,
};
import {
  type PreconfiguredNSG,
} from "./2023-09-04.ts";
export {
  type PreconfiguredNSG,
};

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

export class OperationsOperations {
  readonly #connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.#connection = connection;
  }

  /** Lists what the resource provider can be asked to do. */
  list(options: OperationOptions = {}): PagedAsyncIterableIterator<Operation> {
    return this.#connection.list({
      method: "GET",
      path: "/providers/Microsoft.RedHatOpenShift/operations",
      parameters: {},
      options,
    });
  }
}

export class OpenShiftVersionsOperations {
  readonly #connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.#connection = connection;
  }

  /** Lists the installable versions. */
  list(location: string, options: OperationOptions = {}): PagedAsyncIterableIterator<OpenShiftVersion> {
    return this.#connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions",
      parameters: { location },
      options,
    });
  }

  /** Gets an installable version. */
  get(location: string, openShiftVersion: string, options: OperationOptions = {}): Promise<OpenShiftVersion> {
    return this.#connection.call({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions/{openShiftVersion}",
      parameters: { location, openShiftVersion },
      options,
    });
  }
}

export class PlatformWorkloadIdentityRoleSetsOperations {
  readonly #connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.#connection = connection;
  }

  /** Lists the roles for all minor versions. */
  list(location: string, options: OperationOptions = {}): PagedAsyncIterableIterator<PlatformWorkloadIdentityRoleSet> {
    return this.#connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/platformWorkloadIdentityRoleSets",
      parameters: { location },
      options,
    });
  }
}

export class OpenShiftClustersOperations {
  readonly #connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.#connection = connection;
  }

  /** Lists the clusters of a subscription. */
  list(options: OperationOptions = {}): PagedAsyncIterableIterator<OpenShiftCluster> {
    return this.#connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
      parameters: {},
      options,
    });
  }

  /** Lists the clusters of a resource group. */
  listByResourceGroup(resourceGroupName: string, options: OperationOptions = {}): PagedAsyncIterableIterator<OpenShiftCluster> {
    return this.#connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
      parameters: { resourceGroupName },
      options,
    });
  }

  /** Gets a cluster. */
  get(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftCluster> {
    return this.#connection.call({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Creates or updates a cluster. */
  createOrUpdate(resourceGroupName: string, resourceName: string, body: OpenShiftCluster, options: OperationOptions = {}): PollerLike<OperationState<OpenShiftCluster>, OpenShiftCluster> {
    return this.#connection.begin({
      method: "PUT",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      body,
      sends: {"members":["tags","location","properties","identity"],"readOnly":["properties.clusterProfile.oidcIssuer","properties.consoleProfile.url","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.clientId","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.objectId","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip","identity.principalId","identity.tenantId","identity.userAssignedIdentities.*.principalId","identity.userAssignedIdentities.*.clientId"]},
      options,
    });
  }

  /** Updates a cluster. */
  update(resourceGroupName: string, resourceName: string, body: OpenShiftClusterUpdate, options: OperationOptions = {}): PollerLike<OperationState<OpenShiftCluster>, OpenShiftCluster> {
    return this.#connection.begin({
      method: "PATCH",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      body,
      sends: {"members":["tags","properties","identity"],"readOnly":["properties.clusterProfile.oidcIssuer","properties.consoleProfile.url","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.clientId","properties.platformWorkloadIdentityProfile.platformWorkloadIdentities.*.objectId","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip","identity.principalId","identity.tenantId","identity.userAssignedIdentities.*.principalId","identity.userAssignedIdentities.*.clientId"]},
      options,
    });
  }

  /** Deletes a cluster with its Azure resources. */
  delete(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): PollerLike<OperationState<void>, void> {
    return this.#connection.begin({
      method: "DELETE",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Returns an administrator's kubeconfig with a client certificate. */
  listAdminCredentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterAdminKubeconfig> {
    return this.#connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listAdminCredentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Returns the password of kubeadmin. */
  listCredentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterCredentials> {
    return this.#connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listCredentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }
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

/** Secret string. It is returned only to its requester. */
export type Password = string;

/** One page of role sets. */
export interface PlatformWorkloadIdentityRoleSetList {
  /** The elements of this page. */
  value: Array<PlatformWorkloadIdentityRoleSet>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}
