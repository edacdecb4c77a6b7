import type { ClusterClient } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import type { AzureAccess } from "../azure/azure-access.ts";
import type { ClusterSettings } from "../bootstrap/cluster-settings.ts";
import type { ClusterMachines } from "../hypervisor/machine-view.ts";
import type { Timings } from "../timings.ts";

/** What every controller of one simulated cluster works with. */
export interface Cluster {
  readonly client: ClusterClient;
  readonly settings: ClusterSettings;
  /** The virtual machines of this cluster, as the hypervisor last reported them. */
  readonly machines: ClusterMachines;
  /** The way to Azure with the cluster's own credentials. */
  readonly azure: AzureAccess;
  readonly timings: Timings;
  readonly clock: Clock;
  readonly logger: Logger;
}
