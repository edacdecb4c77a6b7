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
  OperationsOperations,
  type APIServerProfile,
  type CloudError,
  type CloudErrorBody,
  type ClusterProfile,
  type ConsoleProfile,
  type Display,
  type IngressProfile,
  type MasterProfile,
  type NetworkProfile,
  type OpenShiftCluster,
  type OpenShiftClusterCredentials,
  type OpenShiftClusterList,
  type OpenShiftClusterProperties,
  type OpenShiftClusterUpdate,
  type Operation,
  type OperationList,
  type ProvisioningState,
  type Resource,
  type ServicePrincipalProfile,
  type TrackedResource,
  type VMSize,
  type Visibility,
  type WorkerProfile,
  type armResourceType,
} from "./2019-12-31-preview.ts";
export {
  OperationsOperations,
  type APIServerProfile,
  type CloudError,
  type CloudErrorBody,
  type ClusterProfile,
  type ConsoleProfile,
  type Display,
  type IngressProfile,
  type MasterProfile,
  type NetworkProfile,
  type OpenShiftCluster,
  type OpenShiftClusterCredentials,
  type OpenShiftClusterList,
  type OpenShiftClusterProperties,
  type OpenShiftClusterUpdate,
  type Operation,
  type OperationList,
  type ProvisioningState,
  type Resource,
  type ServicePrincipalProfile,
  type TrackedResource,
  type VMSize,
  type Visibility,
  type WorkerProfile,
  type armResourceType,
};

export const apiVersion = "2020-04-30";

/** Managed OpenShift clusters as resources of Azure Resource Manager. */
export class RedHatOpenShiftClient {
  readonly operations: OperationsOperations;
  readonly openShiftClusters: OpenShiftClustersOperations;

  constructor(credential: TokenCredential, subscriptionId: string, options: ClientOptions = {}) {
    const connection = new ArmConnection({ ...options, apiVersion, credential, subscriptionId });
    this.operations = new OperationsOperations(connection);
    this.openShiftClusters = new OpenShiftClustersOperations(connection);
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
      sends: {"members":["tags","location","properties"],"readOnly":[]},
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
      sends: {"members":["tags","properties"],"readOnly":[]},
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
