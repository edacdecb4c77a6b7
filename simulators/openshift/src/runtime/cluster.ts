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

/** Dependencies of every controller of one simulated cluster. */
export interface Cluster {
  /** Reads from the store, never stale. Controllers base their decisions on it. */
  readonly client: ClusterClient;
  /** Watched objects, mostly metadata. Maps a change to the affected keys. */
  readonly cache: Cache;
  /** Logical cluster in the API server, for operations without an API object. */
  readonly logical: LogicalCluster;
  readonly settings: ClusterSettings;
  /** The virtual machines of this cluster, as last reported by the hypervisor. */
  readonly machines: ClusterMachines;
  /** Access to Azure with the cluster's credentials. */
  readonly azure: AzureAccess;
  /** Reads URLs from the network of the cluster's machines. */
  readonly fetch: FetchResource;
  readonly bootProblems: BootProblems;
  /** Requested faults. */
  readonly faults: ClusterFaults;
  /** Manifests of real operators in the release. */
  readonly payload: ClusterPayload;
  /** Releases to which the cluster can be updated. */
  readonly updates: UpdateSource;
  /** Returns the directory with a node's file system, if nodes have one. */
  readonly nodeFolder?: (node: string) => string;
  readonly timings: Timings;
  readonly clock: Clock;
  readonly logger: Logger;
}
