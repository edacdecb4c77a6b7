// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
  type APIServerProfile,
  type ConsoleProfile,
  type IngressProfile,
  type OpenShiftClusterCredentials,
  type ProvisioningState,
  type ServicePrincipalProfile,
} from "./2019-12-31-preview.ts";
export {
  OperationsOperations,
  type APIServerProfile,
  type CloudError,
  type CloudErrorBody,
  type ConsoleProfile,
  type Display,
  type IngressProfile,
  type OpenShiftClusterCredentials,
  type Operation,
  type OperationList,
  type ProvisioningState,
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

export const apiVersion = "2023-04-01";

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
    createOrUpdate: {"members":["tags","location","properties"],"readOnly":[]},
    update: {"members":["tags","properties"],"readOnly":[]},
  };
}

/** The network of a cluster. */
export interface NetworkProfile {
  /** The address range of pods (CIDR). */
  podCidr?: string;
  /** The address range of services (CIDR). */
  serviceCidr?: string;
  /** The cluster's outbound connectivity. */
  outboundType?: OutboundType;
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

/** Outbound connectivity of a cluster: its public load balancer, or user-defined routes. */
export type OutboundType = "Loadbalancer" | "UserDefinedRouting" | (string & {});
