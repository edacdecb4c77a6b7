import type { Secret } from "@keelson/base";

/** Administration server of one process. */
export interface AdminEndpoint {
  /** URL without a path, for example `https://localhost:9403`. */
  readonly url: string;
  readonly caPem: string;
  readonly token: Secret;
}

/**
 * Clusters that one of several processes runs. The first process also stores faults, image rules and offered updates for all
 * processes.
 */
export interface ClusterShare {
  /** Index of this process, from 0. */
  readonly process: number;
  /** Administration servers of all processes by index. */
  readonly admins: readonly AdminEndpoint[];
}
