import type { DocumentDriver } from "../drivers/document-driver.ts";
import type { Connection, Driver } from "../drivers/driver.ts";
import type { Keyring } from "../encryption/keyring.ts";
import type { TestDatabase } from "./test-documents.ts";

/** Open store with functions that inspect its data and simulate the passage of time. */
export interface TestStore extends AsyncDisposable {
  readonly database: TestDatabase;
  /** Driver that opens a second database in the same store, for example with different keys. */
  readonly shared: Driver | DocumentDriver;
  /** Tables of the store. Undefined if it has none. */
  readonly tables: TestTables | undefined;
  clear(): Promise<void>;
  expireLeases(): Promise<void>;
  /** Sets the end of all backoffs to `ms` from now. */
  endBackoffIn(ms: number): Promise<void>;
  removeClusters(): Promise<void>;
  /** Returns the stored clusters in a comparable form. */
  storedClusters(): Promise<readonly string[]>;
  /** Returns the stored JSON of a cluster. */
  storedBody(): Promise<string>;
  /** Copies the stored content of one cluster to a different cluster. */
  copyBody(fromId: string, toId: string): Promise<void>;
  /** Sets the expiry of all journal entries to `ms` from now. */
  expireEntriesIn(ms: number): Promise<void>;
  /** Returns the time in ms until a journal entry expires. */
  entryExpiresIn(): Promise<number>;
}

export interface TestTables {
  readonly connection: Connection;
  sql(text: string, ...values: readonly (string | number)[]): ReturnType<Connection["query"]>;
}

/** New empty store. Disposal removes its resources. */
export interface Target extends AsyncDisposable {
  open(keyring?: Keyring): Promise<TestStore>;
}

/** Kind of store in the test suite, with its differences from other kinds. */
export interface TargetKind {
  readonly start: () => Promise<Target>;
  /**
   * True if documents are rows of tables. Migrations create the tables, and a sweep deletes expired rows. Cosmos DB has
   * containers without a schema and removes expired items itself.
   */
  readonly hasTables: boolean;
  /**
   * Maximum number of writes per commit for queued documents with unique keys. In Cosmos DB, each of these writes needs two
   * operations, and a batch has at most 100 operations.
   */
  readonly writesPerCommit: number;
  /**
   * True if keys can be longer than 2,048 bytes, the limit of Cosmos DB. PostgreSQL indexes longer partition keys if they
   * compress well.
   */
  readonly hasLongNames: boolean;
}
