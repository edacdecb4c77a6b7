/** A resource that no cluster owns, or one that a cluster lacks. */
export interface Orphan {
  readonly kind: string;
  /** Resource ID, or the cluster that lacks something. */
  readonly id: string;
  readonly message: string;
}
