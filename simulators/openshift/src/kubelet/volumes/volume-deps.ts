import type { LogicalCluster } from "@keelson/apiserver";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** Dependencies of a pod's volumes. */
export interface VolumeDeps {
  readonly context: WorkloadContext;
  readonly cluster: LogicalCluster;
  /** File system of the pod's node. */
  readonly nodeFolder: string;
  /** Directory of the pod. */
  readonly podFolder: string;
  /** Directory of the claims' data. */
  readonly claimsFolder: string;
}
