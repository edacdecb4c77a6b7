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

/** What every controller of one simulated cluster works with. */
export interface Cluster {
  /** Reads what is stored, never stale: what controllers decide by. */
  readonly client: ClusterClient;
  /** What is watched, mostly metadata: for the way from a change to the keys that it concerns. */
  readonly cache: Cache;
  /** The cluster as its API server has it: for what is no object. */
  readonly logical: LogicalCluster;
  readonly settings: ClusterSettings;
  /** The virtual machines of this cluster, as the hypervisor last reported them. */
  readonly machines: ClusterMachines;
  /** The way to Azure with the cluster's own credentials. */
  readonly azure: AzureAccess;
  /** Reads URLs from the network of the cluster's machines. */
  readonly fetch: FetchResource;
  readonly bootProblems: BootProblems;
  /** The faults that were requested. */
  readonly faults: ClusterFaults;
  /** What the release brings beside what the simulation plays itself. */
  readonly payload: ClusterPayload;
  /** Which releases the cluster may be updated to. */
  readonly updates: UpdateSource;
  /** The folder that a node has as its file system, where nodes have one. */
  readonly nodeFolder?: (node: string) => string;
  readonly timings: Timings;
  readonly clock: Clock;
  readonly logger: Logger;
}
