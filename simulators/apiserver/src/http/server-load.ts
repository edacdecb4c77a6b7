import type { ServerResponse } from "node:http";
import { failures } from "@keelson/apimachinery";
import type { RequestInfo } from "./messages/request-info.ts";

/** Limits of concurrent load. Excess requests fail with 429. */
export interface ServerLimits {
  /**
   * Maximum number of open connections. While more connections are open, requests fail with 429. While twice as many connections
   * are open, the server closes new connections immediately.
   */
  readonly connections: number;
  /** Maximum number of concurrent requests. Watches are not included. */
  readonly requests: number;
  readonly watches: number;
}

/**
 * Default limits. Operators use about 150 watches per cluster, so the limit of watches is sufficient for hundreds of clusters.
 */
export const defaultLimits: ServerLimits = { connections: 10_000, requests: 2_000, watches: 100_000 };

/** Maximum share of the limits that one cluster can use. The rest remains available to other clusters. */
const clusterShare = 0.5;
/** Maximum number of watches of one cluster. All known clients of a cluster together need fewer watches. */
const maxClusterWatches = 5_000;

type Load = Record<"requests" | "watches", number>;

/** Concurrent load of a server. */
export class ServerLoad {
  readonly #limits: ServerLimits;
  readonly #all: Load = { requests: 0, watches: 0 };
  readonly #clusters = new Map<string, Load>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a request to a logical cluster as active until its response ends.
   * @throws StatusError 429
   */
  admit(response: ServerResponse, cluster: string, { verb }: RequestInfo, connections: number): void {
    const kind = verb === "watch" ? "watches" : "requests";
    if (connections > this.#limits.connections) {
      if (response.req.httpVersionMajor === 1) response.setHeader("connection", "close");
      throw failures.overloaded("too many connections, please try again later");
    }
    const limit = this.#limits[kind];
    if (this.#all[kind] >= limit) throw failures.overloaded("too many requests, please try again later");
    const own = this.#clusters.get(cluster) ?? { requests: 0, watches: 0 };
    const most = kind === "watches" ? maxClusterWatches : Number.POSITIVE_INFINITY;
    if (own[kind] >= Math.min(limit * clusterShare, most)) {
      throw failures.overloaded("too many requests to this cluster, please try again later");
    }
    this.#clusters.set(cluster, own);
    this.#all[kind]++;
    own[kind]++;
    response.once("close", () => {
      this.#all[kind]--;
      own[kind]--;
      if (own.requests + own.watches === 0) this.#clusters.delete(cluster);
    });
  }
}
