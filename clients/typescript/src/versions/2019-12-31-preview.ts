// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";

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

export class OperationsOperations extends shared.Operations_2019_12_31_preview<Operation> {}

export class OpenShiftClustersOperations extends shared.OpenShiftClusters_2019_12_31_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials> {
  protected readonly sends = {
    createOrUpdate: {"members":["tags","location","properties"],"readOnly":[]},
    update: {"members":["tags","properties"],"readOnly":[]},
  };
}

/** The API server of a cluster. */
export interface APIServerProfile {
  /** Visibility of the API server. */
  visibility?: Visibility;
  /** URL of the API server. */
  url?: string;
  /** Address of the API server. */
  ip?: string;
}

/** Error response. */
export interface CloudError {
  /** The error. */
  error?: CloudErrorBody;
}

/** An error or one of its details. */
export interface CloudErrorBody {
  /** Machine-readable error code, which does not change. */
  code?: string;
  /** Human-readable error message. */
  message?: string;
  /** The invalid property of the request. */
  target?: string;
  /** The individual errors. */
  details?: Array<CloudErrorBody>;
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
}

/** The web console. */
export interface ConsoleProfile {
  /** URL of the console. */
  url?: string;
}

/** Display names of an operation. */
export interface Display {
  /** The resource provider. */
  provider?: string;
  /** The type of resource. */
  resource?: string;
  /** The operation on the resource type. */
  operation?: string;
  /** Description of the operation. */
  description?: string;
}

/** Ingress endpoint of a cluster's applications. */
export interface IngressProfile {
  /** Name of the ingress endpoint. */
  name?: string;
  /** Visibility of the ingress endpoint. */
  visibility?: Visibility;
  /** Address of the ingress endpoint. */
  ip?: string;
}

/** The machines of the control plane. */
export interface MasterProfile {
  /** VM size of the masters. */
  vmSize?: VMSize;
  /** Resource ID of the masters' subnet. */
  subnetId?: string;
}

/** The network of a cluster. */
export interface NetworkProfile {
  /** The address range of pods (CIDR). */
  podCidr?: string;
  /** The address range of services (CIDR). */
  serviceCidr?: string;
}

/** An OpenShift cluster. */
export interface OpenShiftCluster extends TrackedResource {
  /** The cluster's own properties. */
  properties?: OpenShiftClusterProperties;
}

/** Credentials of kubeadmin. */
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

/** Operation of the resource provider, which Azure roles can permit. */
export interface Operation {
  /** Name of the operation: {provider}/{resource}/{operation}. */
  name?: string;
  /** Display names of the operation. */
  display?: Display;
  /** Permitted kinds of callers, separated by commas: "user,system". */
  origin?: string;
}

/** One page of the provider's operations. */
export interface OperationList {
  /** The elements of this page. */
  value?: Array<Operation>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** Provisioning state of a cluster: the in-flight operation, or the result of the last one. */
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
  /** Client ID of the service principal. */
  clientId?: string;
  /** Client secret of the service principal. Never returned. */
  clientSecret?: string;
}

/** The resource model definition for an Azure Resource Manager tracked top level resource which has 'tags' and a 'location' */
export interface TrackedResource extends Resource {
  /** Resource tags. */
  tags?: Record<string, string>;
  /** The geo-location where the resource lives */
  location: string;
}

/** Machine sizes, in versions that list them. */
export type VMSize = "Standard_D16as_v4" | "Standard_D16s_v3" | "Standard_D2s_v3" | "Standard_D32as_v4" | "Standard_D32s_v3" | "Standard_D4as_v4" | "Standard_D4s_v3" | "Standard_D8as_v4" | "Standard_D8s_v3" | "Standard_E16s_v3" | "Standard_E32s_v3" | "Standard_E4s_v3" | "Standard_E8s_v3" | "Standard_F16s_v2" | "Standard_F32s_v2" | "Standard_F4s_v2" | "Standard_F8s_v2" | (string & {});

/** Visibility of an endpoint. */
export type Visibility = "Private" | "Public" | (string & {});

/** A group of workers. */
export interface WorkerProfile {
  /** Name of the group of workers. */
  name?: string;
  /** VM size of the workers. */
  vmSize?: VMSize;
  /** Size of the workers' disks in GB. */
  diskSizeGB?: number;
  /** Resource ID of the workers' subnet. */
  subnetId?: string;
  /** The number of workers. */
  count?: number;
}

/** Represents an Azure Resource Type. */
export type armResourceType = string;
