import type { ClusterClient, LogicalCluster } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import type { ClusterFaults } from "../faults/fault-registry.ts";

/** What the kinds answered by code work with. */
export interface ApiContext {
  readonly client: ClusterClient;
  readonly logical: LogicalCluster;
  /** The cluster's domain: applications are below `apps.` in it. */
  readonly domain: string;
  /** What goes wrong because somebody asked for it. */
  readonly faults: ClusterFaults;
  readonly clock: Clock;
}
