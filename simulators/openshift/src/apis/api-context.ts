import type { ClusterClient, LogicalCluster } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import type { ClusterFaults } from "../faults/fault-registry.ts";
import type { Cluster } from "../runtime/cluster.ts";

/** Dependencies of the aggregated API resources. */
export interface ApiContext {
  readonly client: ClusterClient;
  readonly logical: LogicalCluster;
  /** Cluster domain. Application hosts are below `apps.`. */
  readonly domain: string;
  /** Active faults. */
  readonly faults: ClusterFaults;
  readonly clock: Clock;
}

/** Returns the API context of a running cluster. */
export function apiContextOf({ client, logical, settings, faults, clock }: Cluster): ApiContext {
  return { client, logical, domain: settings.domain, faults, clock };
}
