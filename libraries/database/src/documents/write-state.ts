/** Causes of blocked writes. `refused`: the server returns an error, for example because the disk is full. */
export const writeBlockCauses = ["synchronous_replication", "refused", "timeout"] as const;
export type WriteBlockCause = (typeof writeBlockCauses)[number];

/**
 * Result of the first write probe. `failed`: the probe ended with an error that does not show whether writes are accepted, for
 * example a lost connection or a missing permission.
 */
export type FirstProbe = WriteState | { readonly kind: "failed"; readonly reason: string };

/** Result of the last write probe. Reads may succeed while writes are blocked. */
export type WriteState =
  | { readonly kind: "accepted" }
  | {
      readonly kind: "blocked";
      readonly cause: WriteBlockCause;
      /** Reason in one sentence, for logs and administrators. */
      readonly reason: string;
    };
