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
export type { Driver } from "./driver.ts";
export { errors } from "./errors.ts";
export { createKeyring, generateKey, type Keyring, type MutableKeyring } from "./keyring.ts";
export type { AcquireOptions, Lease, Leased, LeasedCollection, RenewResult } from "./lease.ts";
export { type OpenDatabaseOptions, openDatabase } from "./open.ts";
export { type PgliteOptions, pgliteDriver } from "./pglite/driver.ts";
export { type PostgresOptions, postgresDriver } from "./postgres/driver.ts";
