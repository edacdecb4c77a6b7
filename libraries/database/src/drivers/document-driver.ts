import type { Logger } from "@keelson/base";
import type { Database, Definitions } from "../documents/database.ts";
import type { Keyring } from "../encryption/keyring.ts";
import type { StoreObserver } from "./store-observer.ts";

export interface OpenStoreOptions<D extends Definitions> {
  readonly definitions: D;
  readonly keyring: Keyring;
  readonly logger: Logger;
  /** Handling of missing migrations in a PostgreSQL database. `require` throws an error. Default: `apply`. */
  readonly migrations?: "apply" | "require";
  /**
   * `all` also deletes expired documents. `documents` leaves this deletion to processes with a more privileged database role.
   * `reads` executes no write statements. Default: `all`.
   */
  readonly use?: "all" | "documents" | "reads";
  /** Called with measurements. A Cosmos DB store reports only its write states. Default: none. */
  readonly observer?: StoreObserver | undefined;
  /** Aborts the opening. Dispose an open store to close it. */
  readonly signal: AbortSignal;
}

/** Driver of a store without SQL. The driver implements `Database` itself. */
export interface DocumentDriver {
  readonly kind: "documents";
  readonly name: string;
  /** Opens the store. @throws StoreUnavailable, SchemaAhead, SchemaMismatch, UnsuitableAccount */
  openStore<D extends Definitions>(options: OpenStoreOptions<D>): Promise<Database<D>>;
}
