import type { Logger } from "@keelson/base";
import type { Database, Definitions } from "../documents/database.ts";
import type { Keyring } from "../encryption/keyring.ts";
import type { StoreObserver } from "./store-observer.ts";

export interface OpenStoreOptions<D extends Definitions> {
  readonly definitions: D;
  readonly keyring: Keyring;
  readonly logger: Logger;
  /**
   * Handling of migrations that a PostgreSQL database lacks: `require` rejects such a database. Default
   * `apply`.
   */
  readonly migrations?: "apply" | "require";
  /**
   * `all` also removes what has expired. `documents` leaves that to processes with a database role
   * that permits it. `reads` runs no statement that writes. Default: `all`.
   */
  readonly use?: "all" | "documents" | "reads";
  /** Receives measurements. Only PostgreSQL has any. Default: none. */
  readonly observer?: StoreObserver | undefined;
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
