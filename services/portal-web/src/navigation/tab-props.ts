import type { ClusterRef } from "./cluster-path.ts";

export interface TabProps {
  readonly cluster: ClusterRef;
}
