import type { Logger } from "@keelson/base";
import type { Database, Definitions } from "../documents/database.ts";
import type { Keyring } from "../encryption/keyring.ts";

export interface OpenStoreOptions<D extends Definitions> {
  readonly definitions: D;
  readonly keyring: Keyring;
  readonly logger: Logger;
  /**
   * Handling of migrations that a PostgreSQL database lacks: `require` rejects such a database. Default
   * `apply`.
   */
  readonly migrations?: "apply" | "require";
  /** Stops the opening. An open store ends with its disposal. */
  readonly signal: AbortSignal;
}

/** Driver of a store without PostgreSQL's SQL. It implements `Database` itself. */
export interface DocumentDriver {
  readonly kind: "documents";
  readonly name: string;
  /** @throws StoreUnavailable, SchemaAhead, SchemaMismatch, UnsuitableAccount */
  openStore<D extends Definitions>(options: OpenStoreOptions<D>): Promise<Database<D>>;
}
