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

/** Dependencies and data of a step. */
export interface ClusterContext extends StepScope {
  /** ID of the cluster's document, a UUID. */
  readonly documentId: string;
  /** Cluster from the last read or write. Do not store this value across an `await`, because it may be replaced. */
  readonly cluster: OpenShiftCluster;
  /**
   * Applies `change` and writes the cluster under the lease. After a parallel update, `change` is applied again, so it must be
   * pure.
   */
  update(change: (cluster: OpenShiftCluster) => OpenShiftCluster): Promise<OpenShiftCluster>;
  readonly subscription: SubscriptionDocument;
  /** Adds a warning to the operation. Clients see the warning, but the operation still succeeds. */
  warn(warning: CloudErrorBody): void;
  /** Azure clients in the cluster's subscription, with the service's credentials. */
  readonly azure: AzureClients;
  /** Azure clients in the service's subscription, with the service's credentials. */
  readonly serviceAzure: AzureClients;
  /** Returns Azure clients in the cluster's subscription with a different principal's credentials. */
  azureAs(credential: AzurePrincipal): AzureClients;
  /** Connection settings for additional Azure clients. */
  readonly connection: AzureConnection;
  /** Returns the role sets. A role set lists the roles of the operators' managed identities for one OpenShift minor version. */
  roleSets(): Promise<readonly RoleSetProperties[]>;
  /**
   * Returns the images of the cluster's version.
   * @throws CloudError InvalidParameter if the version is no longer offered
   */
  release(): Promise<Release>;
  /** Correlation data of the request that started the operation. */
  readonly correlation?: CorrelationData | undefined;
  /**
   * Returns a client of the cluster's API server with the service's kubeconfig. Requires the kubeconfigs to be generated first.
   */
  kube(): KubeClient;
  /** Billing document of the cluster. */
  readonly billing: BillingRecord;
  /** Record of the cluster at the service's gateway. */
  readonly gateway: GatewayRecord;
  readonly environment: ClusterEnvironment;
  readonly clock: Clock;
}
