import type { ClusterSummary } from "@keelson/portal-api";
import { useLive } from "../api/live-provider.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { stateOf } from "./cluster-rows.ts";
import { OperationProgress } from "./operation-progress.tsx";

type Cluster = Pick<ClusterSummary, "resourceId" | "provisioningState" | "failedProvisioningState">;

/** State of a cluster, with the progress of its operation. */
export function ClusterState({ cluster }: { readonly cluster: Cluster }) {
  const operation = useLive().progress.get(cluster.resourceId.toLowerCase());
  return (
    <div className="cluster-state">
      <StateLabel state={stateOf(cluster)} />
      {operation && <OperationProgress operation={operation} />}
    </div>
  );
}
