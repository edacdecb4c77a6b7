/** Clock of the simulated Azure. */
export interface ClockState {
  /** Current time of the simulated Azure (RFC 3339). */
  readonly now: string;
  /** Offset from the real clock in milliseconds. */
  readonly aheadMs: number;
  /** Credentials sorted by expiry, earliest first. */
  readonly expiring: readonly Expiring[];
  /** Number of credentials omitted from `expiring`. */
  readonly omitted: number;
}

export interface Expiring {
  readonly kind:
    | "application secret"
    | "application certificate"
    | "key vault secret"
    | "key vault certificate";
  /** Application or key vault that owns the credential. */
  readonly owner: string;
  readonly name: string;
  /** Expiry time of the credential (RFC 3339). */
  readonly expires: string;
}
