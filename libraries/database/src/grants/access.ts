import type { Definitions } from "../documents/database.ts";

/**
 * Access to one collection: `read` (by ID, key and list), `create`, `replace` (includes the condition `unchanged`), `remove`, and
 * `lease` (for workers).
 */
export type CollectionAccess = "read" | "create" | "replace" | "remove" | "lease";

/** Database access of one service role. `role-grants.ts` declares the access of each role. */
export interface RoleAccess<D extends Definitions> {
  readonly collections: { readonly [Name in keyof D]?: readonly CollectionAccess[] };
  /** True if the role's processes delete expired documents of all collections. */
  readonly sweeps: boolean;
}
