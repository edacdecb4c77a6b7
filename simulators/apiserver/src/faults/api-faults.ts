/**
 * Properties of a network request for the selection of its faults. Empty strings represent missing values.
 */
export interface FaultableRequest {
  /** Authorization verb: `get`, `list`, `watch`, `create` and so on. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Start revision of a list or watch. */
  readonly resourceVersion: string;
  readonly user: string;
}

/** Fault of one request. Its effects happen in this order. */
export interface RequestFault {
  readonly delayMs?: number;
  /** Error response instead of the request's result. */
  readonly error?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly retryAfterSeconds?: number;
  };
  /** Time from the start of the request until the connection is cut, without further output. */
  readonly cutAfterMs?: number;
}

/** Faults of a logical cluster's API. See `LogicalCluster.setFaults`. */
export interface ApiFaults {
  /** Called for each authorized request. */
  forRequest(request: FaultableRequest): RequestFault | undefined;
  /** Offset of the server's clock. Negative if it is slow. */
  readonly clockSkewMs?: number;
  /** Failing checks of `/healthz`, `/livez` and `/readyz`, such as `etcd`. */
  readonly failedChecks?: ReadonlySet<string>;
}
