export interface ClusterSummary {
  readonly name: string;
  readonly resourceGroup: string;
  readonly id: string;
  readonly state: string;
  readonly version: string;
  readonly visibility: string;
  readonly masterSize: string;
  readonly workerSize: string;
  /** Workers of its machine sets, or of the request that created the cluster. */
  readonly workers: number;
}

export interface ClustersView {
  readonly clusters: readonly ClusterSummary[];
  readonly versions: readonly string[];
  readonly masterSizes: readonly string[];
  readonly workerSizes: readonly string[];
}

export interface MachineView {
  /** Name of the virtual machine and of its node. */
  readonly name: string;
  readonly size: string;
  readonly zone?: string;
  /** Azure's power state, for example `running`. Undefined if the service did not return it. */
  readonly power?: string;
}

export interface MachineSetView {
  readonly name: string;
  readonly replicas: number;
  readonly readyReplicas: number;
}

export interface OperationView {
  readonly name: string;
  readonly status: string;
  readonly percentComplete?: number;
  readonly step?: string;
  readonly error?: string;
}

/** One cluster. Lists are empty while its API server does not respond. */
export interface ClusterView extends ClusterSummary {
  readonly machines: readonly MachineView[];
  readonly machineSets: readonly MachineSetView[];
  /** Update channel. Updates are available in a channel only. */
  readonly channel?: string;
  /** Channels for the cluster's version. */
  readonly channels: readonly string[];
  /** Versions to which the cluster can be updated, newest first. */
  readonly updates: readonly string[];
  /** Version of the update in progress. */
  readonly updatingTo?: string;
  readonly operation?: OperationView;
  /** Reason why machine sets and updates are missing. */
  readonly problem?: string;
}
