export {
  type Collection,
  type CollectionDefinition,
  type Document,
  defineCollection,
  type ListPage,
  type ListQuery,
  type Stored,
} from "./collection.ts";
export {
  type Change,
  type Collections,
  type CommitOptions,
  type CommitResult,
  create,
  type Database,
  type Definitions,
  remove,
  replace,
  type Write,
} from "./database.ts";
export type { AcquireOptions, Lease, Leased, LeasedCollection, RenewResult } from "./lease.ts";
