// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
  type APIServerProfile,
  type ConsoleProfile,
  type IngressProfile,
  type NetworkProfile,
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
  type NetworkProfile,
  type OpenShiftClusterCredentials,
  type Operation,
  type OperationList,
  type ProvisioningState,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
} from "./2019-12-31-preview.ts";
import {
  type EncryptionAtHost,
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

export class OpenShiftClustersOperations extends shared.OpenShiftClusters_2021_09_01_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterAdminKubeconfig, OpenShiftClusterCredentials> {
  protected readonly sends = {
    createOrUpdate: {"members":["tags","location","properties"],"readOnly":[]},
    update: {"members":["tags","properties"],"readOnly":[]},
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
}

/** State of FIPS-validated cryptography modules. */
export type FipsValidatedModules = "Disabled" | "Enabled" | (string & {});

/** The machines of the control plane. */
export interface MasterProfile {
  /** VM size of the masters. */
  vmSize?: string;
  /** Resource ID of the masters' subnet. */
  subnetId?: string;
  /** State of encryption at host. */
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

/** A group of workers. */
export interface WorkerProfile {
  /** Name of the group of workers. */
  name?: string;
  /** VM size of the workers. */
  vmSize?: string;
  /** Size of the workers' disks in GB. */
  diskSizeGB?: number;
  /** Resource ID of the workers' subnet. */
  subnetId?: string;
  /** The number of workers. */
  count?: number;
  /** State of encryption at host. */
  encryptionAtHost?: EncryptionAtHost;
  /** The resource ID of the disk encryption set with the customer's key. */
  diskEncryptionSetId?: string;
}
