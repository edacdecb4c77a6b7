import type { Duplex, Readable } from "node:stream";
import type { ConnectionPool } from "./connections/connection-pool.ts";
import type { KubeApi, ListSelection } from "./kube-api.ts";
import type { KubePage } from "./list-page.ts";
import type { KubeObject, ObjectKey } from "./objects/kube-object.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import type { ClusterResponses } from "./responses/cluster-responses.ts";
import type { ParsedResponse, ReaderOptions, ResponseSelection } from "./responses/response-reader.ts";
import type { ExecOutput, ExecRequest } from "./streams/kube-exec.ts";
import type { ServiceAccountToken } from "./token-request.ts";

/** Client options other than the credentials. */
export interface KubeClientOptions {
  /** Called before every request. If it throws, the request is not sent. Workers check here that they still hold their lease. */
  readonly beforeRequest?: () => void;
  readonly userAgent: string;
  /** IP address of servers with a name that starts with `api-int.`. Only the cluster's own machines can resolve such a name. */
  readonly internalAddress?: string | undefined;
  /** Connections shared with other clients. Default: separate connections. */
  readonly connections?: ConnectionPool | undefined;
  /** Field manager name of this client in `managedFields`. */
  readonly fieldManager: string;
  /** Time limit of each request in ms. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Worker threads and CPU allowances shared with other clients. Default: separate ones. */
  readonly responses?: ClusterResponses | undefined;
  /** Component that reads the cluster, with the limits for its reads. Default: `client` with generous limits. */
  readonly reader?: ReaderOptions | undefined;
}

export interface LogOptions {
  readonly container: string;
  /** True to stream the log until the container exits. */
  readonly follow?: boolean;
  /** Maximum size in bytes. The rest of the log is not returned. Default and upper bound: the reader's limit `bytes`. */
  readonly limitBytes?: number;
  /** Number of lines to return, counted from the end of the log. Default: all lines. */
  readonly tailLines?: number;
}

/**
 * Client of one cluster. It has the permissions of the kubeconfig's user. Every method throws `KubeError`, or the signal's reason
 * after an abort.
 */
export interface KubeClient extends KubeApi, AsyncDisposable {
  readonly server: string;
  /** Returns one page of at most `limit` selected objects. `continue` is the continue token of the previous page. */
  page(
    resource: KubeResource,
    selection: ListSelection & { readonly limit: number; readonly continue?: string },
    signal: AbortSignal,
  ): Promise<KubePage>;
  /** Finds the resource for `kind` or `kind.group`, optionally in one version. Undefined if the server does not serve it. */
  findResource(kind: string, signal: AbortSignal, version?: string): Promise<KubeResource | undefined>;
  /** Streams the output of a container. */
  logs(pod: Required<ObjectKey>, options: LogOptions, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Runs a command in a container. */
  exec(request: ExecRequest, signal: AbortSignal): AsyncIterable<ExecOutput>;
  /**
   * Creates the object if it does not exist. If it exists and a field of `object` has a different value, patches it. Does not
   * change the status and fields that `object` does not contain.
   */
  ensure(
    resource: KubeResource,
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<"created" | "updated" | "unchanged">;
  /** Returns true if the server reports that it is ready. Returns false if it is not ready or does not respond. */
  ready(signal: AbortSignal): Promise<boolean>;
  /** Sends a GET request to a server path such as `/healthz`. Returns the status code, or 0 without a response. */
  statusCode(path: string, signal: AbortSignal): Promise<number>;
  /** Creates a service account token for the API server. The token is valid for `expirationSeconds` (at least 600). */
  requestToken(
    serviceAccount: Required<ObjectKey>,
    expirationSeconds: number,
    signal: AbortSignal,
  ): Promise<ServiceAccountToken>;
  /** Creates an object that the server evaluates but does not store, such as a TokenReview. Returns its status. */
  review(resource: KubeResource, spec: object, signal: AbortSignal): Promise<unknown>;
  /** Connects to a port of a pod. The connection ends when the pod closes it or the signal aborts. */
  connectPort(pod: Required<ObjectKey>, port: number, signal: AbortSignal): Promise<Duplex>;
  /** Reads JSON that the cluster sent over a different connection, such as `connectPort`. The client's limits apply. */
  readJson(
    body: Readable,
    request: string,
    selection: ResponseSelection,
    signal: AbortSignal,
  ): Promise<ParsedResponse>;
}
