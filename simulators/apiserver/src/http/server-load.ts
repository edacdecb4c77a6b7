import type { ServerResponse } from "node:http";
import { failures } from "@keelson/apimachinery";
import type { RequestInfo } from "./messages/request-info.ts";

/** How much a server takes on at the same time; what comes on top is answered 429. */
export interface ServerLimits {
  /** Open connections. Twice as many, and the rest are closed as they come. */
  readonly connections: number;
  /** Requests under way, without watches. */
  readonly requests: number;
  readonly watches: number;
}

/** Operators keep about 150 watches on each cluster: there is room for hundreds of clusters. */
export const defaultLimits: ServerLimits = { connections: 10_000, requests: 2_000, watches: 100_000 };

/** What one logical cluster may take of it: others always find the rest. */
const clusterShare = 0.5;
/** More than anything that works with one cluster has. */
const maxClusterWatches = 5_000;

type Load = Record<"requests" | "watches", number>;

/** The requests of a server that are under way. */
export class ServerLoad {
  readonly #limits: ServerLimits;
  readonly #all: Load = { requests: 0, watches: 0 };
  readonly #clusters = new Map<string, Load>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** Counts a request to a logical cluster until its answer is over. @throws StatusError 429 */
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
