import type { AzureClients, AzureEnvironment, BlobContainer, ServicePrincipal } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import type { KubeClient, KubeObject } from "@keelson/kube";
import type {
  CorrelationData,
  OpenShiftCluster,
  OpenShiftVersionDocument,
  SubscriptionDocument,
} from "@keelson/model";

/** Images that the installation of an OpenShift version needs. */
export type Release = Pick<
  OpenShiftVersionDocument["openShiftVersion"]["properties"],
  "openShiftPullspec" | "installerPullspec" | "machineImages"
>;

export interface ProgressReport {
  /** Completed fraction, from 0 to 1. */
  readonly fraction: number;
  /** Short description of the current activity. */
  readonly activity: string;
}

/** Cluster, operation and clients for installers and Hive. */
export interface InstallContext {
  /** ID of the cluster's document, a UUID. Directories and namespaces of the installation are named after it. */
  readonly documentId: string;
  /** Cluster from the last read or write. Do not store this value across an `await`, because it may be replaced. */
  readonly cluster: OpenShiftCluster;
  /**
   * Applies `change` and writes the cluster under the operation's lease. `change` may be called several times, so it must be
   * pure.
   */
  update(change: (cluster: OpenShiftCluster) => OpenShiftCluster): Promise<OpenShiftCluster>;
  readonly subscription: SubscriptionDocument;
  readonly tenantId: string;
  /** Fully qualified domain of the cluster. */
  readonly domain: string;
  /** Returns the service principal. The cluster must not have managed identities. */
  servicePrincipal(): ServicePrincipal;
  /** Returns the objects with which the cluster's operators sign in to Azure. */
  operatorCredentials(): Promise<readonly KubeObject[]>;
  readonly azureEnvironment: AzureEnvironment;
  /** Azure clients in the cluster's subscription, with the service's credentials. */
  readonly azure: AzureClients;
  /** Returns the container for the graph in the cluster's storage account. Undefined if the cluster has no storage account. */
  graphContainer(): Promise<BlobContainer | undefined>;
  /** Returns a client of the cluster's API server with the service's kubeconfig. */
  kube(): KubeClient;
  /**
   * Returns the images of the cluster's version.
   * @throws CloudError InvalidParameter if the version is no longer offered
   */
  release(): Promise<Release>;
  /** Throws if the operation has lost its lease. Called before each request to Hive. */
  beforeRequest(): void;
  /** Correlation data of the request that started the operation. */
  readonly correlation?: CorrelationData | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Reports the progress of a long step. Clients see only some of the reports. */
  report(progress: ProgressReport): void;
}
