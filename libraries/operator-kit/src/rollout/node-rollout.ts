/** Time span in which a node installed or started a revision. */
export interface RolloutSpan {
  readonly kind: "installing" | "starting";
  /** Attempt number of the installer, starting at 0. */
  readonly attempt: number;
  readonly from: Date;
  /** End of the span. Undefined if the step is still in progress or its end was not recorded. */
  readonly to?: Date | undefined;
  /** Cause of the failure. Undefined if the step did not fail. */
  readonly failure?: string;
}

export type NodeRolloutState = "waiting" | "installing" | "starting" | "reached" | "failed" | "skipped";

export interface NodeRollout {
  readonly node: string;
  /** State of the node. It is `skipped` if a newer revision was created before the node's rollout began. */
  readonly state: NodeRolloutState;
  readonly spans: readonly RolloutSpan[];
  readonly reachedAt?: Date;
}
