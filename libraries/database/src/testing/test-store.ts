import type { DocumentDriver } from "../drivers/document-driver.ts";
import type { Connection, Driver } from "../drivers/driver.ts";
import type { Keyring } from "../encryption/keyring.ts";
import type { TestDatabase } from "./test-documents.ts";

/** Open store with functions that inspect the stored data and simulate the passing of time. */
export interface TestStore extends AsyncDisposable {
  readonly database: TestDatabase;
  /** Driver of a second database over the same store, for example with different keys. */
  readonly shared: Driver | DocumentDriver;
  /** Present if documents are rows. */
  readonly tables: TestTables | undefined;
  clear(): Promise<void>;
  expireLeases(): Promise<void>;
  /** Moves the end of every back-off to `ms` from now. */
  endBackoffIn(ms: number): Promise<void>;
  removeClusters(): Promise<void>;
  /** Everything that is stored of clusters, in a form to be compared. */
  storedClusters(): Promise<readonly string[]>;
  /** The stored JSON of some cluster. */
  storedBody(): Promise<string>;
  /** Stores the content of one cluster as that of a different one. */
  copyBody(fromId: string, toId: string): Promise<void>;
  /** Moves the expiry of all entries of the journal to `ms` from now. */
  expireEntriesIn(ms: number): Promise<void>;
  /** When some entry of the journal expires, in milliseconds from now. */
  entryExpiresIn(): Promise<number>;
}

export interface TestTables {
  readonly connection: Connection;
  sql(text: string, ...values: readonly (string | number)[]): ReturnType<Connection["query"]>;
}

/** New, empty store. Disposal removes its resources. */
export interface Target extends AsyncDisposable {
  open(keyring?: Keyring): Promise<TestStore>;
}

/** Target of the suite, and its differences from other stores. */
export interface TargetKind {
  readonly start: () => Promise<Target>;
  /**
   * True if documents are rows of tables, which migrations create and a sweep empties. Cosmos DB has
   * containers without a schema, and removes expired items itself.
   */
  readonly hasTables: boolean;
  /**
   * Maximum writes per commit of queued documents with unique keys. A batch of Cosmos DB has 100 operations,
   * and each of these writes needs two.
   */
  readonly writesPerCommit: number;
  /**
   * True if keys can be longer than 2,048 bytes, the limit of Cosmos DB. PostgreSQL indexes a partition key
   * of thousands of bytes that compresses well.
   */
  readonly hasLongNames: boolean;
}
