import type { CloudErrorBody } from "@keelson/arm";
import type { AzureClients, AzurePrincipal } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import type { Release } from "@keelson/installers";
import type { KubeClient } from "@keelson/kube";
import type {
  CorrelationData,
  OpenShiftCluster,
  RoleSetProperties,
  SubscriptionDocument,
} from "@keelson/model";
import type { StepScope } from "@keelson/workflow";
import type { BillingRecord } from "./billing-record.ts";
import type { AzureConnection, ClusterEnvironment } from "./environment.ts";
import type { GatewayRecord } from "./gateway-record.ts";

/** Everything a step works with. */
export interface ClusterContext extends StepScope {
  /** ID of the cluster's document, a UUID. */
  readonly documentId: string;
  /** The cluster as last written: read it again after every wait. */
  readonly cluster: OpenShiftCluster;
  /** Writes the cluster under the lease; parallel steps lose nothing. `change` is pure. */
  update(change: (cluster: OpenShiftCluster) => OpenShiftCluster): Promise<OpenShiftCluster>;
  readonly subscription: SubscriptionDocument;
  /** Adds a warning to the operation, which its clients see. It does not fail the operation. */
  warn(warning: CloudErrorBody): void;
  /** Clients of the service in the cluster's subscription. */
  readonly azure: AzureClients;
  /** Clients of the service in its own subscription. */
  readonly serviceAzure: AzureClients;
  /** Clients of a different principal in the cluster's subscription. */
  azureAs(credential: AzurePrincipal): AzureClients;
  /** Connection settings for Azure requests of other clients. */
  readonly connection: AzureConnection;
  /** The roles of managed identities, by OpenShift minor version. */
  roleSets(): Promise<readonly RoleSetProperties[]>;
  /** The images of the cluster's version. @throws CloudError InvalidParameter when it is no longer offered */
  release(): Promise<Release>;
  /** Correlation data of the request that started the operation. */
  readonly correlation?: CorrelationData | undefined;
  /** The cluster's API server, as the service. Kubeconfigs have been generated. */
  kube(): KubeClient;
  /** The cluster's billing document. */
  readonly billing: BillingRecord;
  /** The cluster's record at the service's gateway. */
  readonly gateway: GatewayRecord;
  readonly environment: ClusterEnvironment;
  readonly clock: Clock;
}
