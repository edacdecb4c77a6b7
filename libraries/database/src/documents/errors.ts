import { defineErrors } from "@keelson/base";

/** Every code that this package throws. */
export const errors = defineErrors({
  /** No connection, or one that broke. A commit under way may or may not have happened: read again. */
  StoreUnavailable: { retry: "backoff" },
  /** A different process has the embedded database open. */
  StoreInUse: { retry: "backoff" },
  /** The URL of the database, or the endpoint of its account, cannot be parsed. */
  InvalidStoreUrl: { retry: "never" },
  /** A newer version of this program changed the tables, or the layout, in a way that this one does not understand. */
  SchemaAhead: { retry: "never" },
  /** Migrations are missing, and this process is not to apply them. */
  SchemaBehind: { retry: "never" },
  /** A definition names a table or column that no migration made, or a container is missing or of another shape. */
  SchemaMismatch: { retry: "never" },
  /** A PostgreSQL role that does not exist, or whose rights do not depend on grants. */
  UnusableRole: { retry: "never" },
  /** An account of Cosmos DB whose consistency or regions allow writes to be lost. */
  UnsuitableAccount: { retry: "never" },
  /** The keyring lacks the key of a stored secret, or its current key. */
  EncryptionKeyMissing: { retry: "backoff" },
  /** A stored secret was altered, or moved from another place. */
  SecretTampered: { retry: "never" },
  /** A document holds a secret where its definition declares none. Nothing was written. */
  UndeclaredSecret: { retry: "never" },
  /** A key of the keyring is not 32 bytes, or the current one is not among them. */
  InvalidKey: { retry: "never" },
  /** A document that cannot be stored, or a commit that cannot be done. Nothing was written. */
  InvalidWrite: { retry: "never" },
  /** A query on a key that the definition lacks, or with a continuation not made here. */
  InvalidQuery: { retry: "never" },
  /** Several documents have the value that `findBy` was given. */
  AmbiguousKey: { retry: "never" },
});
