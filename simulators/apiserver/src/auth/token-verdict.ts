import type { User } from "./user.ts";

/** `accepted`: for which of the asked audiences. `refused`: known, but no longer good, and why. */
export type TokenVerdict =
  | { readonly kind: "accepted"; readonly user: User; readonly audiences: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };
