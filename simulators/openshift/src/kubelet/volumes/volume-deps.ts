import type { LogicalCluster } from "@keelson/apiserver";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** What the volumes of a pod are made with. */
export interface VolumeDeps {
  readonly context: WorkloadContext;
  readonly cluster: LogicalCluster;
  /** The file system of the pod's node. */
  readonly nodeFolder: string;
  /** The pod's own folder. */
  readonly podFolder: string;
  /** Where claims keep what they hold. */
  readonly claimsFolder: string;
}
