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
  type ConsoleProfile,
  type Display,
  type IngressProfile,
  type NetworkProfile,
  type OpenShiftClusterCredentials,
  type Operation,
  type OperationList,
  type ProvisioningState,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
} from "./2019-12-31-preview.ts";
export {
  OperationsOperations,
  type APIServerProfile,
  type CloudError,
  type CloudErrorBody,
  type ConsoleProfile,
  type Display,
  type IngressProfile,
  type NetworkProfile,
  type OpenShiftClusterCredentials,
  type Operation,
  type OperationList,
  type ProvisioningState,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
};
import {
  type EncryptionAtHost,
  type OpenShiftClusterAdminKubeconfig,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
} from "./2021-09-01-preview.ts";
export {
  type EncryptionAtHost,
  type OpenShiftClusterAdminKubeconfig,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
};

export const apiVersion = "2022-04-01";

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

  /** Gives a cluster. */
  get(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftCluster> {
    return this.#connection.call({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Creates a cluster, or changes one. */
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

  /** Changes a cluster. */
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

  /** Deletes a cluster and all that it is made of. */
  delete(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): PollerLike<OperationState<void>, void> {
    return this.#connection.begin({
      method: "DELETE",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Gives a kubeconfig with a client certificate. */
  listAdminCredentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterAdminKubeconfig> {
    return this.#connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listAdminCredentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Gives the password of kubeadmin. */
  listCredentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterCredentials> {
    return this.#connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listCredentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }
}

/** A cluster's own settings. */
export interface ClusterProfile {
  /** Credentials for Red Hat's registries, as JSON. Never answered. */
  pullSecret?: string;
  /** The DNS domain, or the label before the service's own. */
  domain?: string;
  /** The version of OpenShift. */
  version?: string;
  /** Where the service keeps what the cluster is made of. */
  resourceGroupId?: string;
  /** Whether cryptography is limited to modules validated for FIPS. */
  fipsValidatedModules?: FipsValidatedModules;
}

/** Whether cryptography is limited to modules validated for FIPS. */
export type FipsValidatedModules = "Disabled" | "Enabled" | (string & {});

/** The machines of the control plane. */
export interface MasterProfile {
  /** Their size. */
  vmSize?: string;
  /** The resource ID of their subnet. */
  subnetId?: string;
  /** Whether their hosts encrypt what they write. */
  encryptionAtHost?: EncryptionAtHost;
  /** The resource ID of the disk encryption set with the customer's key. */
  diskEncryptionSetId?: string;
}

/** An OpenShift cluster. */
export interface OpenShiftCluster extends TrackedResource {
  /** The cluster's own properties. */
  properties?: OpenShiftClusterProperties;
}

/** One page of clusters. */
export interface OpenShiftClusterList {
  /** The elements of this page. */
  value?: Array<OpenShiftCluster>;
  /** Where the next page is; absent from the last one. */
  nextLink?: string;
}

/** The properties of a cluster. */
export interface OpenShiftClusterProperties {
  /** What is being done with the cluster, or how it ended. */
  provisioningState?: ProvisioningState;
  /** The cluster's own settings. */
  clusterProfile?: ClusterProfile;
  /** The web console. */
  consoleProfile?: ConsoleProfile;
  /** The service principal as which the cluster calls Azure. */
  servicePrincipalProfile?: ServicePrincipalProfile;
  /** The network. */
  networkProfile?: NetworkProfile;
  /** The machines of the control plane. */
  masterProfile?: MasterProfile;
  /** The workers that were asked for. */
  workerProfiles?: Array<WorkerProfile>;
  /** The API server. */
  apiserverProfile?: APIServerProfile;
  /** The entrances to the applications. */
  ingressProfiles?: Array<IngressProfile>;
}

/** What can be changed of a cluster. */
export interface OpenShiftClusterUpdate {
  /** Replace all tags. */
  tags?: Record<string, string>;
  /** The cluster's own properties. */
  properties?: OpenShiftClusterProperties;
}

/** A group of workers. */
export interface WorkerProfile {
  /** Its name. */
  name?: string;
  /** Their size. */
  vmSize?: string;
  /** The size of their disks. */
  diskSizeGB?: number;
  /** The resource ID of their subnet. */
  subnetId?: string;
  /** How many there are. */
  count?: number;
  /** Whether their hosts encrypt what they write. */
  encryptionAtHost?: EncryptionAtHost;
  /** The resource ID of the disk encryption set with the customer's key. */
  diskEncryptionSetId?: string;
}
