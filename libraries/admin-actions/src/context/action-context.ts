import type { AzureClients } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import type { KubeClient, ReaderOptions } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/** One cluster, as an administrator's action reaches it. Disposal closes its connections. */
export interface ActionContext extends AsyncDisposable {
  /** As it was when the action began. */
  readonly document: ClusterDocument;
  /** As the service, in the cluster's subscription. */
  readonly azure: AzureClients;
  /**
   * The cluster's API server, as the service; for clean-up one that also takes requests once `signal` has ended.
   * @throws CloudError RequestNotAllowed (409) before there is one
   */
  kube(use?: "cleanup"): KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the waits of the action. */
  readonly signal: AbortSignal;
}

/** Opens a cluster for one action. Nothing is sent before the action asks for something. */
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
