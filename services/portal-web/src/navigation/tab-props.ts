import type { ClusterRef } from "../api/cluster-path.ts";

export interface TabProps {
  readonly cluster: ClusterRef;
}
