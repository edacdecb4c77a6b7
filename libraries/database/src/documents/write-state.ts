/** Cause of blocked writes. `refused`: the server returns an error, for example for a full disk. */
export const writeBlockCauses = ["synchronous_replication", "refused", "timeout"] as const;
export type WriteBlockCause = (typeof writeBlockCauses)[number];

/** Ability of a store to accept writes, as its last probe found. Reads may work while writes are blocked. */
export type WriteState =
  | { readonly kind: "accepted" }
  | {
      readonly kind: "blocked";
      readonly cause: WriteBlockCause;
      /** One sentence for logs and administrators. */
      readonly reason: string;
    };
