export interface ClusterSummary {
  readonly name: string;
  readonly resourceGroup: string;
  readonly id: string;
  readonly state: string;
  readonly version: string;
  readonly visibility: string;
  readonly masterSize: string;
  readonly workerSize: string;
  /** Number of workers in the machine sets. Until the machine sets exist, the number in the creation request. */
  readonly workers: number;
}

export interface ClustersView {
  readonly clusters: readonly ClusterSummary[];
  readonly versions: readonly string[];
  readonly masterSizes: readonly string[];
  readonly workerSizes: readonly string[];
}

export interface MachineView {
  /** Name of the virtual machine, which is also the node name. */
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

/** One cluster. Its lists are empty while its API server does not respond. */
export interface ClusterView extends ClusterSummary {
  readonly machines: readonly MachineView[];
  readonly machineSets: readonly MachineSetView[];
  /** Update channel. Undefined if no channel is selected. In this case, no updates are available. */
  readonly channel?: string;
  /** Available channels for the cluster's version. */
  readonly channels: readonly string[];
  /** Available update versions, newest first. */
  readonly updates: readonly string[];
  /** Version of the update in progress. */
  readonly updatingTo?: string;
  readonly operation?: OperationView;
  /** Error message if machine sets and updates could not be read. */
  readonly problem?: string;
}
