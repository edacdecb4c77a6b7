import type { LogicalCluster } from "@keelson/apiserver";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** Dependencies of a pod's volumes. */
export interface VolumeDeps {
  readonly context: WorkloadContext;
  readonly cluster: LogicalCluster;
  /** Directory with the file system of the pod's node. */
  readonly nodeDirectory: string;
  /** Directory with the pod's files. */
  readonly podDirectory: string;
  /** Directory with the data of all claims. */
  readonly claimsDirectory: string;
}
