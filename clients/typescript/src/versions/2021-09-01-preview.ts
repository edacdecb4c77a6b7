// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
  type APIServerProfile,
  type ClusterProfile,
  type ConsoleProfile,
  type IngressProfile,
  type OpenShiftClusterCredentials,
  type ProvisioningState,
  type ServicePrincipalProfile,
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
  type OpenShiftClusterCredentials,
  type Operation,
  type OperationList,
  type ProvisioningState,
  type ServicePrincipalProfile,
  type Visibility,
  type armResourceType,
} from "./2019-12-31-preview.ts";

export const apiVersion = "2021-09-01-preview";

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

/** State of encryption at host. */
export type EncryptionAtHost = "Disabled" | "Enabled" | (string & {});

/** The machines of the control plane. */
export interface MasterProfile {
  /** VM size of the masters. */
  vmSize?: VMSize;
  /** Resource ID of the masters' subnet. */
  subnetId?: string;
  /** State of encryption at host. */
  encryptionAtHost?: EncryptionAtHost;
  /** The resource ID of the disk encryption set with the customer's key. */
  diskEncryptionSetId?: string;
}

/** The network of a cluster. */
export interface NetworkProfile {
  /** The network plug-in. */
  softwareDefinedNetwork?: SoftwareDefinedNetwork;
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

/** Administrator's access to the cluster's API. */
export interface OpenShiftClusterAdminKubeconfig {
  /** The kubeconfig, in base64. */
  kubeconfig?: string;
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

/** Common fields that are returned in the response for all Azure Resource Manager resources */
export interface Resource {
  /** Fully qualified resource ID for the resource. Ex - /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/{resourceProviderNamespace}/{resourceType}/{resourceName} */
  readonly id?: string;
  /** The name of the resource */
  readonly name?: string;
  /** The type of the resource. E.g. "Microsoft.Compute/virtualMachines" or "Microsoft.Storage/storageAccounts" */
  readonly type?: armResourceType;
  /** Azure Resource Manager metadata containing createdBy and modifiedBy information. */
  readonly systemData?: SystemData;
}

/** A network plug-in. */
export type SoftwareDefinedNetwork = "OVNKubernetes" | "OpenShiftSDN" | (string & {});

/** Metadata pertaining to creation and last modification of the resource. */
export interface SystemData {
  /** The identity that created the resource. */
  createdBy?: string;
  /** The type of identity that created the resource. */
  createdByType?: createdByType;
  /** The timestamp of resource creation (UTC). */
  createdAt?: string;
  /** The identity that last modified the resource. */
  lastModifiedBy?: string;
  /** The type of identity that last modified the resource. */
  lastModifiedByType?: createdByType;
  /** The timestamp of resource last modification (UTC) */
  lastModifiedAt?: string;
}

/** The resource model definition for an Azure Resource Manager tracked top level resource which has 'tags' and a 'location' */
export interface TrackedResource extends Resource {
  /** Resource tags. */
  tags?: Record<string, string>;
  /** The geo-location where the resource lives */
  location: string;
}

/** Machine sizes, in versions that list them. */
export type VMSize = "Standard_D16as_v4" | "Standard_D16s_v3" | "Standard_D2s_v3" | "Standard_D32as_v4" | "Standard_D32s_v3" | "Standard_D4as_v4" | "Standard_D4s_v3" | "Standard_D8as_v4" | "Standard_D8s_v3" | "Standard_E16s_v3" | "Standard_E32s_v3" | "Standard_E4s_v3" | "Standard_E8s_v3" | "Standard_F16s_v2" | "Standard_F32s_v2" | "Standard_F4s_v2" | "Standard_F8s_v2" | "Standard_E64i_v3" | "Standard_E64is_v3" | "Standard_F72s_v2" | "Standard_G5" | "Standard_GS5" | "Standard_M128ms" | (string & {});

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
  /** State of encryption at host. */
  encryptionAtHost?: EncryptionAtHost;
  /** The resource ID of the disk encryption set with the customer's key. */
  diskEncryptionSetId?: string;
}

/** The kind of entity that created the resource. */
export type createdByType = "User" | "Application" | "ManagedIdentity" | "Key" | (string & {});
