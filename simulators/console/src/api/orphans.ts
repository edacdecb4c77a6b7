/** Resource without an existing cluster, or resource that a cluster lacks. */
export interface Orphan {
  readonly kind: string;
  /** ID of the orphaned resource, or ID of the cluster with the missing resource. */
  readonly id: string;
  readonly message: string;
}
