// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
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
  OpenShiftClustersOperations,
} from "./2022-04-01.ts";
export {
  OpenShiftClustersOperations,
  type ClusterProfile,
  type FipsValidatedModules,
  type MasterProfile,
  type OpenShiftCluster,
  type OpenShiftClusterList,
  type OpenShiftClusterProperties,
  type OpenShiftClusterUpdate,
  type WorkerProfile,
} from "./2022-04-01.ts";
import {
  type Resource,
} from "./2021-09-01-preview.ts";
export {
  type EncryptionAtHost,
  type OpenShiftClusterAdminKubeconfig,
  type Resource,
  type SystemData,
  type TrackedResource,
  type createdByType,
} from "./2021-09-01-preview.ts";

export const apiVersion = "2022-09-04";

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

export class OpenShiftVersionsOperations extends shared.OpenShiftVersions_2022_09_04<OpenShiftVersion> {}

/** An installable version of OpenShift. */
export interface OpenShiftVersion extends ProxyResource {
  /** The resource-specific properties for this resource. */
  properties?: OpenShiftVersionProperties;
}

/** One page of versions. */
export interface OpenShiftVersionList {
  /** The elements of this page. */
  value?: Array<OpenShiftVersion>;
  /** URL of the next page. Absent from the last page. */
  nextLink?: string;
}

/** The properties of a version. */
export interface OpenShiftVersionProperties {
  /** The version, as in 4.16.30. */
  version?: string;
}

/** The resource model definition for a Azure Resource Manager proxy resource. It will not have tags and a location */
export interface ProxyResource extends Resource {
}
