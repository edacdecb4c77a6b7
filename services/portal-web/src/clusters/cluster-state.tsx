import type { ClusterSummary } from "@keelson/portal-api";
import { useLive } from "../api/live-provider.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { stateOf } from "./cluster-rows.ts";
import { OperationProgress } from "./operation-progress.tsx";

type Cluster = Pick<ClusterSummary, "resourceId" | "provisioningState" | "failedProvisioningState">;

/** A cluster's state, with how far the operation under way is. */
export function ClusterState({ cluster }: { readonly cluster: Cluster }) {
  const operation = useLive().progress.get(cluster.resourceId.toLowerCase());
  return (
    <div className="cluster-state">
      <StateLabel state={stateOf(cluster)} />
      {operation && <OperationProgress operation={operation} />}
    </div>
  );
}
