import type { AzureClients } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import type { KubeClient, ReaderOptions } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/** Access of an administrator's action to one cluster. Disposal closes its connections. */
export interface ActionContext extends AsyncDisposable {
  /** Document at the start of the action. */
  readonly document: ClusterDocument;
  /** Clients of the service in the cluster's subscription. */
  readonly azure: AzureClients;
  /**
   * Client of the cluster's API server with the service's credentials. For cleanup it also accepts requests
   * after `signal` has aborted.
   * @throws CloudError RequestNotAllowed (409) if there is no API server yet
   */
  kube(use?: "cleanup"): KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the waits of the action. */
  readonly signal: AbortSignal;
}

/** Opens a cluster for one action. Nothing is sent before the action's first request. */
export type ConnectCluster = (
  document: ClusterDocument,
  options: {
    readonly correlationId?: string | undefined;
    readonly logger: Logger;
    readonly signal: AbortSignal;
    /** Reader of the cluster and its limits. Default: `admin`. */
    readonly reader?: Omit<ReaderOptions, "resourceId">;
  },
) => ActionContext;
