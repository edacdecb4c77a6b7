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
};
import {
  OpenShiftVersionsOperations,
  type OpenShiftVersion,
  type OpenShiftVersionList,
  type OpenShiftVersionProperties,
  type ProxyResource,
} from "./2022-09-04.ts";
export {
  OpenShiftVersionsOperations,
  type OpenShiftVersion,
  type OpenShiftVersionList,
  type OpenShiftVersionProperties,
  type ProxyResource,
};
import {
  type ClusterProfile,
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
export {
  type ClusterProfile,
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
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

export const apiVersion = "2023-11-22";

/** Managed OpenShift clusters as resources of Azure Resource Manager. */
export class RedHatOpenShiftClient {
  readonly operations: OperationsOperations;
  readonly openShiftVersions: OpenShiftVersionsOperations;
  readonly openShiftClusters: OpenShiftClustersOperations;

  constructor(credential: TokenCredential, subscriptionId: string, options: ClientOptions = {}) {
    const connection = new ArmConnection({ ...options, apiVersion, credential, subscriptionId });
    this.operations = new OperationsOperations(connection);
    this.openShiftVersions = new OpenShiftVersionsOperations(connection);
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
      sends: {"members":["tags","location","properties"],"readOnly":["properties.consoleProfile.url","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip"]},
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
      sends: {"members":["tags","properties"],"readOnly":["properties.consoleProfile.url","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip"]},
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

/** The API server of a cluster. */
export interface APIServerProfile {
  /** Its visibility. */
  visibility?: Visibility;
  /** Its URL. */
  readonly url?: string;
  /** Its address. */
  readonly ip?: string;
}

/** The web console. */
export interface ConsoleProfile {
  /** URL of the console. */
  readonly url?: string;
}

/** Ingress endpoint of a cluster's applications. */
export interface IngressProfile {
  /** Its name. */
  name?: string;
  /** Its visibility. */
  visibility?: Visibility;
  /** Its address. */
  readonly ip?: string;
}

/** The public load balancer of a cluster. A preview version published additional properties that were never implemented. */
export interface LoadBalancerProfile {
  /** The outbound addresses managed by the service. */
  managedOutboundIps?: ManagedOutboundIPs;
  /** The effective outbound addresses. */
  readonly effectiveOutboundIps?: Array<EffectiveOutboundIP>;
}

/** The network of a cluster. */
export interface NetworkProfile {
  /** The address range of pods (CIDR). */
  podCidr?: string;
  /** The address range of services (CIDR). */
  serviceCidr?: string;
  /** The cluster's outbound connectivity. */
  outboundType?: OutboundType;
  /** The public load balancer. */
  loadBalancerProfile?: LoadBalancerProfile;
  /** State of preconfigured network security groups, which the customer attaches to the subnets. */
  preconfiguredNSG?: PreconfiguredNSG;
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
}

/** Provisioning state of a cluster: the in-flight operation, or the result of the last one. */
export type ProvisioningState = "AdminUpdating" | "Canceled" | "Creating" | "Deleting" | "Failed" | "Succeeded" | "Updating" | (string & {});
