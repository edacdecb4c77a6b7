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
  /** Cluster from the last read or write. Do not keep this value across an `await`, because a parallel step may replace it. */
  readonly cluster: OpenShiftCluster;
  /**
   * Applies `change` and writes the cluster under the lease. If a parallel step has updated the cluster, applies `change` again
   * to the updated cluster. `change` must therefore be pure.
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
  /**
   * Returns the role sets, one for each OpenShift minor version. A role set lists the Azure roles of the operators' managed
   * identities.
   */
  roleSets(): Promise<readonly RoleSetProperties[]>;
  /**
   * Returns the images of the cluster's version.
   * @throws CloudError InvalidParameter if the version is no longer offered
   */
  release(): Promise<Release>;
  /** Correlation data of the request that started the operation. */
  readonly correlation?: CorrelationData | undefined;
  /**
   * Returns a client that connects to the cluster's API server with the service's kubeconfig. Only works after the step that
   * generates the kubeconfigs.
   */
  kube(): KubeClient;
  /** Billing document of the cluster. */
  readonly billing: BillingRecord;
  /** Record with which the service's gateway recognizes the cluster. */
  readonly gateway: GatewayRecord;
  readonly environment: ClusterEnvironment;
  readonly clock: Clock;
}
