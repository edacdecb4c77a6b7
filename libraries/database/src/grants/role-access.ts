import type { Definitions } from "../documents/database.ts";

/**
 * Use of one collection: `read` by ID, key and list, `create`, `replace` (also the condition `unchanged`), `remove`, and
 * `lease` for workers.
 */
export type CollectionAccess = "read" | "create" | "replace" | "remove" | "lease";

/** Use of the database by one role of the service. */
export interface RoleAccess<D extends Definitions> {
  readonly collections: { readonly [Name in keyof D]?: readonly CollectionAccess[] };
  /** True if processes of the role delete expired documents of all collections. */
  readonly sweeps: boolean;
}
