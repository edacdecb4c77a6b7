import type { ClusterClient, LogicalCluster } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import type { ClusterFaults } from "../faults/fault-registry.ts";
import type { Cluster } from "../runtime/cluster.ts";

/** What the kinds answered by code work with. */
export interface ApiContext {
  readonly client: ClusterClient;
  readonly logical: LogicalCluster;
  /** The cluster's domain: applications are below `apps.` in it. */
  readonly domain: string;
  /** The faults that were requested. */
  readonly faults: ClusterFaults;
  readonly clock: Clock;
}

/** That of a cluster at work. */
export function apiContextOf({ client, logical, settings, faults, clock }: Cluster): ApiContext {
  return { client, logical, domain: settings.domain, faults, clock };
}
