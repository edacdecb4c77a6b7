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

export const apiVersion = "2019-12-31-preview";

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

  /** Gives the password of kubeadmin. The name that listCredentials had at first. */
  credentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterCredentials> {
    return this.#connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/credentials",
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

/** The API server of a cluster. */
export interface APIServerProfile {
  /** Who reaches it. */
  visibility?: Visibility;
  /** Where it is. */
  url?: string;
  /** Its address. */
  ip?: string;
}

/** What went wrong. */
export interface CloudError {
  /** The error. */
  error?: CloudErrorBody;
}

/** An error, or one of the errors that it is made of. */
export interface CloudErrorBody {
  /** For programs; never changes its meaning. */
  code?: string;
  /** For people. */
  message?: string;
  /** The member of the request that is wrong. */
  target?: string;
  /** The errors in detail. */
  details?: Array<CloudErrorBody>;
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
}

/** The web console. */
export interface ConsoleProfile {
  /** Where it is. */
  url?: string;
}

/** The names of an operation that people read. */
export interface Display {
  /** The resource provider. */
  provider?: string;
  /** The type of resource. */
  resource?: string;
  /** What is done to it. */
  operation?: string;
  /** The same in a sentence. */
  description?: string;
}

/** An entrance to the applications of a cluster. */
export interface IngressProfile {
  /** Its name. */
  name?: string;
  /** Who reaches it. */
  visibility?: Visibility;
  /** Its address. */
  ip?: string;
}

/** The machines of the control plane. */
export interface MasterProfile {
  /** Their size. */
  vmSize?: VMSize;
  /** The resource ID of their subnet. */
  subnetId?: string;
}

/** The network of a cluster. */
export interface NetworkProfile {
  /** The addresses of pods. */
  podCidr?: string;
  /** The addresses of services. */
  serviceCidr?: string;
}

/** An OpenShift cluster. */
export interface OpenShiftCluster extends TrackedResource {
  /** The cluster's own properties. */
  properties?: OpenShiftClusterProperties;
}

/** How to log in as kubeadmin. */
export interface OpenShiftClusterCredentials {
  /** The name of the user. */
  kubeadminUsername?: string;
  /** The password of the user. */
  kubeadminPassword?: string;
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

/** Something that a role can permit. */
export interface Operation {
  /** {provider}/{resource}/{operation}. */
  name?: string;
  /** How people read it. */
  display?: Display;
  /** Who may ask, separated by commas: "user,system". */
  origin?: string;
}

/** One page of the provider's operations. */
export interface OperationList {
  /** The elements of this page. */
  value?: Array<Operation>;
  /** Where the next page is; absent from the last one. */
  nextLink?: string;
}

/** What is being done with a cluster, or how it ended. */
export type ProvisioningState = "AdminUpdating" | "Creating" | "Deleting" | "Failed" | "Succeeded" | "Updating" | (string & {});

/** Common fields that are returned in the response for all Azure Resource Manager resources */
export interface Resource {
  /** Fully qualified resource ID for the resource. Ex - /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/{resourceProviderNamespace}/{resourceType}/{resourceName} */
  readonly id?: string;
  /** The name of the resource */
  readonly name?: string;
  /** The type of the resource. E.g. "Microsoft.Compute/virtualMachines" or "Microsoft.Storage/storageAccounts" */
  readonly type?: armResourceType;
}

/** A service principal of the customer. */
export interface ServicePrincipalProfile {
  /** Its client ID. */
  clientId?: string;
  /** Its secret. Never answered. */
  clientSecret?: string;
}

/** The resource model definition for an Azure Resource Manager tracked top level resource which has 'tags' and a 'location' */
export interface TrackedResource extends Resource {
  /** Resource tags. */
  tags?: Record<string, string>;
  /** The geo-location where the resource lives */
  location: string;
}

/** The sizes of machines, while a version still listed them. */
export type VMSize = "Standard_D16as_v4" | "Standard_D16s_v3" | "Standard_D2s_v3" | "Standard_D32as_v4" | "Standard_D32s_v3" | "Standard_D4as_v4" | "Standard_D4s_v3" | "Standard_D8as_v4" | "Standard_D8s_v3" | "Standard_E16s_v3" | "Standard_E32s_v3" | "Standard_E4s_v3" | "Standard_E8s_v3" | "Standard_F16s_v2" | "Standard_F32s_v2" | "Standard_F4s_v2" | "Standard_F8s_v2" | (string & {});

/** Who reaches an endpoint. */
export type Visibility = "Private" | "Public" | (string & {});

/** A group of workers. */
export interface WorkerProfile {
  /** Its name. */
  name?: string;
  /** Their size. */
  vmSize?: VMSize;
  /** The size of their disks. */
  diskSizeGB?: number;
  /** The resource ID of their subnet. */
  subnetId?: string;
  /** How many there are. */
  count?: number;
}

/** Represents an Azure Resource Type. */
export type armResourceType = string;
