/** Time of the simulated Azure. */
export interface ClockState {
  /** RFC 3339. */
  readonly now: string;
  /** Difference to the real clock in milliseconds. */
  readonly aheadMs: number;
  /** Credentials by expiry, first one first. */
  readonly expiring: readonly Expiring[];
  /** Number of credentials that `expiring` omits. */
  readonly omitted: number;
}

export interface Expiring {
  readonly kind:
    | "application secret"
    | "application certificate"
    | "key vault secret"
    | "key vault certificate";
  /** Application or vault. */
  readonly owner: string;
  readonly name: string;
  /** RFC 3339. */
  readonly expires: string;
}
