import type { ClusterClient, LogicalCluster } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import type { AzureAccess } from "../azure/azure-access.ts";
import type { BootProblems } from "../boot/boot-problems.ts";
import type { ClusterFaults } from "../faults/fault-registry.ts";
import type { ClusterMachines } from "../hypervisor/machine-view.ts";
import type { FetchResource } from "../ignition/apply-ignition.ts";
import type { ClusterPayload } from "../payload/cluster-payload.ts";
import type { ClusterSettings } from "../settings/cluster-settings.ts";
import type { Timings } from "../settings/timings.ts";
import type { UpdateSource } from "../updates/update-source.ts";

/** Dependencies of the controllers of one simulated cluster. */
export interface Cluster {
  /** Client for the in-process store. Controllers base their decisions on the client's reads, which are never stale. */
  readonly client: ClusterClient;
  /** Cache of watched objects, mostly metadata only. Controllers use the cache to find the keys that a change affects. */
  readonly cache: Cache;
  /** Logical cluster in the API server. Used for operations without an API object. */
  readonly logical: LogicalCluster;
  readonly settings: ClusterSettings;
  /** Virtual machines of the cluster, as last reported by the hypervisor. */
  readonly machines: ClusterMachines;
  /** Azure clients with the cluster's credentials. */
  readonly azure: AzureAccess;
  /** Fetches URLs from the network of the cluster's machines. */
  readonly fetch: FetchResource;
  readonly bootProblems: BootProblems;
  /** Active faults of the cluster. */
  readonly faults: ClusterFaults;
  /** Manifests of real operators in the release. */
  readonly payload: ClusterPayload;
  /** Releases to which the cluster can be updated. */
  readonly updates: UpdateSource;
  /** Returns the directory of a node's file system. Unset if nodes have no file system. */
  readonly nodeDirectory?: (node: string) => string;
  readonly timings: Timings;
  readonly clock: Clock;
  readonly logger: Logger;
}
