import { defineErrors } from "@keelson/base";

/** Errors of this package. */
export const errors = defineErrors({
  /** The connection failed or was lost. A commit in progress may or may not have been applied. Read the documents again. */
  StoreUnavailable: { retry: "backoff" },
  /** A different process uses the embedded database. */
  StoreInUse: { retry: "backoff" },
  /** The database URL or account endpoint cannot be parsed. */
  InvalidStoreUrl: { retry: "never" },
  /** A newer version of this program made an incompatible change to the schema. */
  SchemaAhead: { retry: "never" },
  /** Migrations are missing, and this process is configured not to apply them. */
  SchemaBehind: { retry: "never" },
  /** The schema differs from the definitions: a table, column or container is missing, or a container has different settings. */
  SchemaMismatch: { retry: "never" },
  /** A PostgreSQL role does not exist, or grants cannot restrict it, for example because it is a superuser. */
  UnusableRole: { retry: "never" },
  /** The consistency level or the regions of a Cosmos DB account could cause lost writes. */
  UnsuitableAccount: { retry: "never" },
  /** The keyring lacks its own current key, or the key of a stored secret. */
  EncryptionKeyMissing: { retry: "backoff" },
  /** A stored secret was modified, or copied from a different document or field. */
  SecretTampered: { retry: "never" },
  /** A document contains a secret at a path that its definition does not declare. Nothing was written. */
  UndeclaredSecret: { retry: "never" },
  /** An encryption key is not 32 bytes long, or the current key is missing. */
  InvalidKey: { retry: "never" },
  /** The document cannot be stored, or the commit is invalid. Nothing was written. */
  InvalidWrite: { retry: "never" },
  /** The query uses a key that the definition lacks, or the continuation of a different query. */
  InvalidQuery: { retry: "never" },
  /** Several documents match the value of a `findBy` call. */
  AmbiguousKey: { retry: "never" },
});
