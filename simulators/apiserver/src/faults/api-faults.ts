/** A request over the network, as its faults are chosen by. Empty texts stand for what the request does not have. */
export interface FaultableRequest {
  /** As authorization names it: `get`, `list`, `watch`, `create` and so on. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Where a list or watch wants to go on from. */
  readonly resourceVersion: string;
  readonly user: string;
}

/** What happens to one request, in this order. */
export interface RequestFault {
  readonly delayMs?: number;
  /** Answered in place of what was asked for. */
  readonly error?: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly retryAfterSeconds?: number;
  };
  /** The connection is cut so long after the request was taken up, without another byte. */
  readonly cutAfterMs?: number;
}

/** Faults of a logical cluster's API that its owner asked for: see `LogicalCluster.setFaults`. */
export interface ApiFaults {
  /** Called for every request that may be answered. */
  forRequest(request: FaultableRequest): RequestFault | undefined;
  /** How far the server's clock is ahead of the true time; negative when it is behind. */
  readonly clockSkewMs?: number;
  /** Checks of `/healthz`, `/livez` and `/readyz` that fail, for example `etcd`. */
  readonly failedChecks?: ReadonlySet<string>;
}
