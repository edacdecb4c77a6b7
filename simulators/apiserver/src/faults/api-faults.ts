/** Properties of a network request that select its fault. A missing value is an empty string. */
export interface FaultableRequest {
  /** Authorization verb: `get`, `list`, `watch`, `create` and so on. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Revision at which a list or watch starts. */
  readonly resourceVersion: string;
  readonly user: string;
}

/** Fault of one request. The effects occur in the order of the properties below. */
export interface RequestFault {
  readonly delayMs?: number;
  /** Error response that replaces the request's result. */
  readonly error?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly retryAfterSeconds?: number;
  };
  /** Time in milliseconds from the request's start until the server cuts the connection. */
  readonly cutAfterMs?: number;
}

/** Faults of a cluster's API. See `LogicalCluster.setFaults`. */
export interface ApiFaults {
  /** Returns the fault of a request. Called for each authorized request. */
  forRequest(request: FaultableRequest): RequestFault | undefined;
  /** Offset of the server's clock in milliseconds. Negative for a slow clock. */
  readonly clockSkewMs?: number;
  /** Checks of `/healthz`, `/livez` and `/readyz` that fail, for example `etcd`. */
  readonly failedChecks?: ReadonlySet<string>;
}
