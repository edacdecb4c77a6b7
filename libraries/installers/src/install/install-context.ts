import type { AzureClients, AzureEnvironment, BlobContainer, ServicePrincipal } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import type { KubeClient, KubeObject } from "@keelson/kube";
import type {
  CorrelationData,
  OpenShiftCluster,
  OpenShiftVersionDocument,
  SubscriptionDocument,
} from "@keelson/model";

/** The images that an OpenShift version is installed from. */
export type Release = Pick<
  OpenShiftVersionDocument["openShiftVersion"]["properties"],
  "openShiftPullspec" | "installerPullspec" | "machineImages"
>;

export interface ProgressReport {
  /** 0 to 1. */
  readonly fraction: number;
  /** Short description of the present activity. */
  readonly activity: string;
}

/** Access of installers and Hive to a cluster and its operation. */
export interface InstallContext {
  /** ID of the cluster's document, a UUID. */
  readonly documentId: string;
  /** The cluster as last written: read it again after every wait. */
  readonly cluster: OpenShiftCluster;
  /** Writes the cluster under the operation's lease. `change` is pure. */
  update(change: (cluster: OpenShiftCluster) => OpenShiftCluster): Promise<OpenShiftCluster>;
  readonly subscription: SubscriptionDocument;
  readonly tenantId: string;
  /** The cluster's domain in full. */
  readonly domain: string;
  /** The principal of a cluster without managed identities. */
  servicePrincipal(): ServicePrincipal;
  /** The objects with which the cluster's operators sign in to Azure. */
  operatorCredentials(): Promise<readonly KubeObject[]>;
  readonly azureEnvironment: AzureEnvironment;
  /** Clients of the service in the cluster's subscription. */
  readonly azure: AzureClients;
  /** The container for the installer's graph in the cluster's storage account; `undefined` without an account. */
  graphContainer(): Promise<BlobContainer | undefined>;
  /** The cluster's API server, as the service. */
  kube(): KubeClient;
  /** The images of the cluster's version. @throws CloudError InvalidParameter when it is no longer offered */
  release(): Promise<Release>;
  /** Throws after the lease was lost. Called before each request to Hive. */
  beforeRequest(): void;
  /** Correlation data of the request that started the operation. */
  readonly correlation?: CorrelationData | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Reports how far a long step is; clients see it from time to time. */
  report(progress: ProgressReport): void;
}
