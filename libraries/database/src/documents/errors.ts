import { defineErrors } from "@keelson/base";

/** Every code that this package throws. */
export const errors = defineErrors({
  /** The connection failed or was lost. A commit in progress may or may not have happened: read again. */
  StoreUnavailable: { retry: "backoff" },
  /** A different process has the embedded database open. */
  StoreInUse: { retry: "backoff" },
  /** The URL of the database, or the endpoint of its account, cannot be parsed. */
  InvalidStoreUrl: { retry: "never" },
  /** A newer version of this program changed the tables or the layout incompatibly. */
  SchemaAhead: { retry: "never" },
  /** Migrations are missing, and this process is not to apply them. */
  SchemaBehind: { retry: "never" },
  /**
   * A definition names a table or column that does not exist, or a container is missing or has a different
   * definition.
   */
  SchemaMismatch: { retry: "never" },
  /** The consistency or the regions of a Cosmos DB account permit lost writes. */
  UnsuitableAccount: { retry: "never" },
  /** The keyring lacks the key of a stored secret, or its current key. */
  EncryptionKeyMissing: { retry: "backoff" },
  /** A stored secret was modified, or moved from a different place. */
  SecretTampered: { retry: "never" },
  /** A document has a secret at a path that its definition does not declare. Nothing was written. */
  UndeclaredSecret: { retry: "never" },
  /** A key of the keyring is not 32 bytes long, or the current key is missing. */
  InvalidKey: { retry: "never" },
  /** A document that cannot be stored, or a commit that cannot be done. Nothing was written. */
  InvalidWrite: { retry: "never" },
  /** A query uses a key that the definition lacks, or a continuation of a different query. */
  InvalidQuery: { retry: "never" },
  /** Several documents have the value of a `findBy` call. */
  AmbiguousKey: { retry: "never" },
});
