export { allDocuments } from "./all-documents.ts";
export {
  type Collection,
  type CollectionDefinition,
  type Document,
  type Due,
  defineCollection,
  type ListPage,
  type ListQuery,
  type OutdatedQuery,
  type Stored,
} from "./collection.ts";
export { type CosmosOptions, cosmosDriver } from "./cosmos/driver.ts";
export {
  type Change,
  type Collections,
  type CommitOptions,
  type CommitResult,
  create,
  createLeased,
  type Database,
  type Definitions,
  type NewLease,
  type QueueLimit,
  remove,
  replace,
  unchanged,
  type Write,
} from "./database.ts";
export type { DocumentDriver } from "./document-driver.ts";
export type { Driver } from "./driver.ts";
export { errors } from "./errors.ts";
export { type FollowOptions, followChanges } from "./follow-changes.ts";
export { type KeySet, type KeySource, keyFile, parseKeySet } from "./key-source.ts";
export { createKeyring, generateKey, type Keyring, type MutableKeyring } from "./keyring.ts";
export type {
  AcquireIdleOptions,
  AcquireOptions,
  Lease,
  Leased,
  LeasedCollection,
  QueueLength,
  ReleaseOptions,
  RenewResult,
} from "./lease.ts";
export { type MigrateDatabaseOptions, migrateDatabase } from "./migrate-database.ts";
export type { Migration } from "./migration.ts";
export { type OpenDatabaseOptions, openDatabase } from "./open.ts";
export { type PgliteOptions, pgliteDriver } from "./pglite/driver.ts";
export { type PostgresOptions, postgresDriver } from "./postgres/driver.ts";
export { RefreshedKeyring, type RefreshedKeyringOptions } from "./refreshed-keyring.ts";
export { type ResealDocument, Resealer, type ResealerOptions, type ResealResult } from "./resealer.ts";
export {
  open as openSecret,
  type SealedSecret,
  type SecretPlace,
  seal as sealSecret,
} from "./sealed-secret.ts";
