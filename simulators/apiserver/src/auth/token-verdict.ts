import type { User } from "./user.ts";

/** Result of a token validation. `accepted` tokens are valid for `audiences`. `refused` tokens are known but no longer valid. */
export type TokenVerdict =
  | { readonly kind: "accepted"; readonly user: User; readonly audiences: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };
