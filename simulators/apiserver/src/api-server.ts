import type { Clock, KeyPair, Logger } from "@keelson/base";
import type { LogicalCluster, LogicalClusterOptions } from "./cluster/logical-cluster.ts";
import type { ServerLimits } from "./http/server-load.ts";
import type { FindServer } from "./http/server-name-router.ts";

export interface ApiServerOptions {
  readonly host: string;
  /** Port of the listener. 0 selects a free port. */
  readonly port: number;
  /** Base URL for clients, for example `https://localhost:6443`. Default: the listener's host and port. */
  readonly publicUrl?: string;
  /** Cluster that the server also serves at the root of its URL, like a kube-apiserver. Default: none. */
  readonly rootCluster?: string;
  /** Serving certificate of the TLS listener. */
  readonly tls: KeyPair;
  /**
   * CA of the serving certificate, published as `kube-root-ca.crt` in every namespace. Default: the last
   * certificate of `tls`.
   */
  readonly certificateAuthorityPem?: string;
  /** Storage of the clusters. The kind `file` is a crash-safe SQLite database. The parent directory of the file must exist. */
  readonly storage: { readonly kind: "memory" } | { readonly kind: "file"; readonly path: string };
  /** Limits of concurrent load. Default: `defaultLimits`. */
  readonly limits?: Partial<ServerLimits>;
  /**
   * True if watches may begin with a list (`sendInitialEvents`). If false, such watches fail with 422, as in servers without the
   * WatchList feature. Default: true.
   */
  readonly watchList?: boolean;
  /**
   * True to run the controllers of kube-controller-manager in each cluster. If false, the server behaves like kube-apiserver
   * alone. Namespaces then have no service accounts, terminating namespaces remain, and dependents outlive their owners. Default:
   * true.
   */
  readonly controllerManager?: boolean;
  /** Disabled admission plugins, as in `--disable-admission-plugins`. Default: none. */
  readonly disabledAdmissionPlugins?: readonly string[];
  /**
   * Called with a host name that this server does not serve. Returns the port of the local server that serves this name.
   * Connections with this name in the TLS handshake are forwarded to this port. Default: no connections are forwarded.
   */
  readonly findServer?: FindServer;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Server with loaded clusters that does not listen yet. Disposal also stops the listening server. */
export interface OpenedApiServer extends AsyncDisposable {
  /** Listens on the port of the server, and starts the controllers of the clusters. @throws CodedError PortTaken */
  listen(): Promise<ApiServer>;
}

/**
 * Server with one TLS listener and any number of logical clusters, each under `/clusters/{name}`. A restart restores stored
 * clusters. Disposal closes watches and connections.
 */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  createCluster(options: LogicalClusterOptions): Promise<LogicalCluster>;
  findCluster(name: string): LogicalCluster | undefined;
  listClusters(): readonly LogicalCluster[];
  deleteCluster(name: string): Promise<void>;
  /** True if a cluster of this server serves the host name. */
  serves(serverName: string): boolean;
  /**
   * Opens a second listener at a different address of this machine until disposal. Default port: the port of the server.
   * @throws CodedError PortTaken
   */
  listenAt(host: string, port?: number): Promise<AsyncDisposable>;
}
