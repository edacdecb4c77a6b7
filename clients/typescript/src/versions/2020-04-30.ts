// Made by `make generate` from api/, where changes belong.
import { ArmConnection, type ClientOptions, type TokenCredential } from "../connection/arm-connection.ts";
import * as shared from "./shared/operations.ts";
import {
  OperationsOperations,
  type OpenShiftCluster,
  type OpenShiftClusterCredentials,
  type OpenShiftClusterUpdate,
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
} from "./2019-12-31-preview.ts";

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

export class OpenShiftClustersOperations extends shared.OpenShiftClusters_2020_04_30<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials> {
  protected readonly sends = {
    createOrUpdate: {"members":["tags","location","properties"],"readOnly":[]},
    update: {"members":["tags","properties"],"readOnly":[]},
  };
}
