import type { AzureClients } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import type { KubeClient, ReaderOptions } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/** Access of one action to one cluster. Disposal closes the connections to the cluster. */
export interface ActionContext extends AsyncDisposable {
  /** Cluster document at the start of the action. */
  readonly document: ClusterDocument;
  /** Azure clients in the cluster's subscription, with the service's credentials. */
  readonly azure: AzureClients;
  /**
   * Returns a client of the cluster's API server with the service's credentials. The `cleanup` client also sends requests after
   * `signal` has aborted.
   * @throws CloudError RequestNotAllowed (409) if there is no API server yet
   */
  kube(use?: "cleanup"): KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the action must stop waiting. */
  readonly signal: AbortSignal;
}

/** Creates the context of one action. The context sends no requests until the action uses a client. */
export type ConnectCluster = (
  document: ClusterDocument,
  options: {
    readonly correlationId?: string | undefined;
    readonly logger: Logger;
    readonly signal: AbortSignal;
    /** Options of the client that reads the cluster, including its limits. Default: `admin`. */
    readonly reader?: Omit<ReaderOptions, "resourceId">;
  },
) => ActionContext;
