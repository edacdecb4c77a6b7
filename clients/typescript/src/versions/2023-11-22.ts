// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
  type OpenShiftClusterCredentials,
  type ServicePrincipalProfile,
  type Visibility,
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
  OpenShiftVersionsOperations,
} from "./2022-09-04.ts";
export {
  OpenShiftVersionsOperations,
  type OpenShiftVersion,
  type OpenShiftVersionList,
  type OpenShiftVersionProperties,
  type ProxyResource,
} from "./2022-09-04.ts";
import {
  type ClusterProfile,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
export {
  type ClusterProfile,
  type FipsValidatedModules,
  type MasterProfile,
  type WorkerProfile,
} from "./2022-04-01.ts";
import {
  type EffectiveOutboundIP,
  type ManagedOutboundIPs,
} from "./2023-07-01-preview.ts";
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
  type OutboundType,
} from "./2023-04-01.ts";
export {
  type OutboundType,
} from "./2023-04-01.ts";
import {
  type PreconfiguredNSG,
} from "./2023-09-04.ts";
export {
  type PreconfiguredNSG,
} from "./2023-09-04.ts";

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

export class OpenShiftClustersOperations extends shared.OpenShiftClusters_2021_09_01_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterAdminKubeconfig, OpenShiftClusterCredentials> {
  protected readonly sends = {
    createOrUpdate: {"members":["tags","location","properties"],"readOnly":["properties.consoleProfile.url","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip"]},
    update: {"members":["tags","properties"],"readOnly":["properties.consoleProfile.url","properties.networkProfile.loadBalancerProfile.effectiveOutboundIps","properties.workerProfilesStatus","properties.apiserverProfile.url","properties.apiserverProfile.ip","properties.ingressProfiles.*.ip"]},
  };
}

/** The API server of a cluster. */
export interface APIServerProfile {
  /** Visibility of the API server. */
  visibility?: Visibility;
  /** URL of the API server. */
  readonly url?: string;
  /** Address of the API server. */
  readonly ip?: string;
}

/** The web console. */
export interface ConsoleProfile {
  /** URL of the console. */
  readonly url?: string;
}

/** Ingress endpoint of a cluster's applications. */
export interface IngressProfile {
  /** Name of the ingress endpoint. */
  name?: string;
  /** Visibility of the ingress endpoint. */
  visibility?: Visibility;
  /** Address of the ingress endpoint. */
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
