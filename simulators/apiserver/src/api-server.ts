import type { Clock, KeyPair, Logger } from "@keelson/base";
import type { LogicalCluster, LogicalClusterOptions } from "./cluster/logical-cluster.ts";
import type { ServerLimits } from "./http/server-load.ts";

export interface ApiServerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The URL clients use, for example `https://localhost:6443`; from host and port when absent. */
  readonly publicUrl?: string;
  /** The cluster whose API is at the root of the URL as well, as the one of a kube-apiserver; none when absent. */
  readonly rootCluster?: string;
  /** The serving certificate of the one TLS listener. */
  readonly tls: KeyPair;
  /**
   * The authority that verifies the serving certificate, as `kube-root-ca.crt` in every namespace names it; the last
   * certificate of `tls` when absent.
   */
  readonly certificateAuthorityPem?: string;
  /** `file`: a SQLite database that survives any crash; the parent folder exists. */
  readonly storage: { readonly kind: "memory" } | { readonly kind: "file"; readonly path: string };
  /** How much is taken on at the same time; generous when absent. */
  readonly limits?: Partial<ServerLimits>;
  /**
   * Whether a watch may begin with a list (`sendInitialEvents`), as it may when absent; otherwise it gets 422, as from
   * servers that have WatchList turned off.
   */
  readonly watchList?: boolean;
  /**
   * Whether clusters have the controllers of kube-controller-manager too, as they have when absent: without them namespaces
   * have no service accounts, their deletion does not end, and dependents outlive their owners, as with a kube-apiserver
   * alone.
   */
  readonly controllerManager?: boolean;
  /** Admission plugins that are off, as `--disable-admission-plugins` names them; none when absent. */
  readonly disabledAdmissionPlugins?: readonly string[];
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * One process, one TLS listener, any number of logical clusters, each under `/clusters/{name}`.
 * Clusters in storage are there again after a restart. Disposal closes watches and connections.
 */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  createCluster(options: LogicalClusterOptions): Promise<LogicalCluster>;
  findCluster(name: string): LogicalCluster | undefined;
  listClusters(): readonly LogicalCluster[];
  deleteCluster(name: string): Promise<void>;
  /** Also listens at another address of this machine, on the same port, until disposal. @throws CodedError PortTaken */
  listenAt(host: string): Promise<AsyncDisposable>;
}
