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
import type { AzureConnection, ClusterEnvironment } from "./environment.ts";
import type { BillingRecord } from "./steps/billing/billing-record.ts";
import type { GatewayRecord } from "./steps/private-link/gateway-record.ts";

/** Everything a step works with. */
export interface ClusterContext extends StepScope {
  /** ID of the cluster's document, a UUID. */
  readonly documentId: string;
  /** The cluster as last written: read it anew after every wait. */
  readonly cluster: OpenShiftCluster;
  /** Writes the cluster under the lease, without losing what parallel steps write. `change` is pure. */
  update(change: (cluster: OpenShiftCluster) => OpenShiftCluster): Promise<OpenShiftCluster>;
  readonly subscription: SubscriptionDocument;
  /** As the service, in the cluster's subscription. */
  readonly azure: AzureClients;
  /** As the service, in its own subscription. */
  readonly serviceAzure: AzureClients;
  /** As someone else, in the cluster's subscription. */
  azureAs(credential: AzurePrincipal): AzureClients;
  /** For what reaches Azure by other ways. */
  readonly connection: AzureConnection;
  /** The roles of managed identities, by OpenShift minor version. */
  roleSets(): Promise<readonly RoleSetProperties[]>;
  /** The images of the cluster's version. @throws CloudError InvalidParameter when it is no longer offered */
  release(): Promise<Release>;
  /** Of the request that is worked on. */
  readonly correlation?: CorrelationData;
  /** The cluster's API server, as the service. Kubeconfigs have been generated. */
  kube(): KubeClient;
  /** What the cluster costs, and since when. */
  readonly billing: BillingRecord;
  /** What the service's gateway knows of the cluster. */
  readonly gateway: GatewayRecord;
  readonly environment: ClusterEnvironment;
  readonly clock: Clock;
}
