/** Period in which a node installed or started a revision. */
export interface RolloutSpan {
  readonly kind: "installing" | "starting";
  /** Number of the installer's attempt. The first is 0. */
  readonly attempt: number;
  readonly from: Date;
  /** Absent while it lasts, and if its end is not recorded. */
  readonly to?: Date;
  /** Cause of the failure. */
  readonly failure?: string;
}

export type NodeRolloutState = "waiting" | "installing" | "starting" | "reached" | "failed" | "skipped";

export interface NodeRollout {
  readonly node: string;
  /** `skipped` if a newer revision arrived before the node's turn. */
  readonly state: NodeRolloutState;
  readonly spans: readonly RolloutSpan[];
  readonly reachedAt?: Date;
}
