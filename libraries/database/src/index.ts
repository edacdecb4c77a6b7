export { allDocuments } from "./all-documents.ts";
export {
  type Collection,
  type Document,
  defineCollection,
  type ListPage,
  type ListQuery,
  type Stored,
} from "./collection.ts";
export { cosmosDriver } from "./cosmos/driver.ts";
export {
  type Change,
  type CommitOptions,
  type CommitResult,
  create,
  createLeased,
  type Database,
  type Definitions,
  remove,
  replace,
  unchanged,
  type Write,
} from "./database.ts";
export type { Driver } from "./driver.ts";
export { errors } from "./errors.ts";
export { followChanges } from "./follow-changes.ts";
export { type KeySource, keyFile, parseKeySet } from "./key-source.ts";
export { createKeyring, generateKey, type Keyring } from "./keyring.ts";
export type {
  Lease,
  Leased,
  LeasedCollection,
  QueueLength,
  ReleaseOptions,
  RenewResult,
} from "./lease.ts";
export { migrateDatabase } from "./migrate-database.ts";
export type { Migration } from "./migration.ts";
export { type OpenDatabaseOptions, openDatabase } from "./open.ts";
export { pgliteDriver } from "./pglite/driver.ts";
export { postgresDriver } from "./postgres/driver.ts";
export { RefreshedKeyring } from "./refreshed-keyring.ts";
export { type ResealDocument, Resealer } from "./resealer.ts";
export {
  open as openSecret,
  type SecretPlace,
  seal as sealSecret,
} from "./sealed-secret.ts";
