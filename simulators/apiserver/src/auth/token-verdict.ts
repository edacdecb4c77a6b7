import type { User } from "./user.ts";

/** `accepted`: valid for `audiences`. `refused`: known but no longer valid. */
export type TokenVerdict =
  | { readonly kind: "accepted"; readonly user: User; readonly audiences: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };
