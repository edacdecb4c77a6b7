/** Resource that no cluster owns, or resource that is missing in a cluster. */
export interface Orphan {
  readonly kind: string;
  /** ID of the orphaned resource, or ID of the cluster with the missing resource. */
  readonly id: string;
  readonly message: string;
}
