export { type FollowOptions, followChanges } from "./change-feed/follow-changes.ts";
export { cosmosDriver } from "./cosmos/driver.ts";
export type { CosmosOptions } from "./cosmos/open-cosmos.ts";
export { allDocuments } from "./documents/all-documents.ts";
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
} from "./documents/collection.ts";
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
} from "./documents/database.ts";
export { errors } from "./documents/errors.ts";
export type {
  AcquireIdleOptions,
  AcquireOptions,
  Lease,
  Leased,
  LeasedCollection,
  QueueLength,
  ReleaseOptions,
  RenewResult,
} from "./documents/lease.ts";
export {
  type FirstProbe,
  type WriteBlockCause,
  type WriteState,
  writeBlockCauses,
} from "./documents/write-state.ts";
export type { DocumentDriver } from "./drivers/document-driver.ts";
export type { Connection, Driver, Session } from "./drivers/driver.ts";
export type { PoolSize, StoreObserver } from "./drivers/store-observer.ts";
export { type KeySet, type KeySource, keyFile, parseKeySet } from "./encryption/key-source.ts";
export { createKeyring, generateKey, type Keyring, type MutableKeyring } from "./encryption/keyring.ts";
export { RefreshedKeyring, type RefreshedKeyringOptions } from "./encryption/refreshed-keyring.ts";
export {
  type ResealDocument,
  Resealer,
  type ResealerOptions,
  type ResealResult,
} from "./encryption/resealer.ts";
export {
  open as openSecret,
  type SealedSecret,
  type SecretPlace,
  seal as sealSecret,
} from "./encryption/sealed-secret.ts";
export { type GrantDatabaseOptions, grantDatabase } from "./grant-database.ts";
export {
  type DatabaseRole,
  databaseRoles,
  type GrantedCollection,
  roleAccess,
} from "./grants/role-grants.ts";
export { type MigrateDatabaseOptions, migrateDatabase } from "./migrate-database.ts";
export type { Migration } from "./migrations/migration.ts";
export { type OpenDatabaseOptions, openDatabase } from "./open.ts";
export { type PgliteOptions, pgliteDriver } from "./pglite/driver.ts";
export { type PostgresOptions, postgresDriver } from "./postgres/driver.ts";
