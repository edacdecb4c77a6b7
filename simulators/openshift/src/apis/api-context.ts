import type { ClusterClient, LogicalCluster } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import type { ClusterFaults } from "../faults/fault-registry.ts";
import type { Cluster } from "../runtime/cluster.ts";

/** Context of the aggregated kinds. */
export interface ApiContext {
  readonly client: ClusterClient;
  readonly logical: LogicalCluster;
  /** Domain of the cluster. Applications are below `apps.`. */
  readonly domain: string;
  /** Active faults. */
  readonly faults: ClusterFaults;
  readonly clock: Clock;
}

/** Context of a running cluster. */
export function apiContextOf({ client, logical, settings, faults, clock }: Cluster): ApiContext {
  return { client, logical, domain: settings.domain, faults, clock };
}
