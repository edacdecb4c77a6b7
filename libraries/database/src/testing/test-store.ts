import type { DocumentDriver } from "../drivers/document-driver.ts";
import type { Connection, Driver } from "../drivers/driver.ts";
import type { Keyring } from "../encryption/keyring.ts";
import type { TestDatabase } from "./test-documents.ts";

/** An open store, with ways below its contract to look at what is stored and to let time pass by changing it. */
export interface TestStore extends AsyncDisposable {
  readonly database: TestDatabase;
  /** Another database over the same store, for example with other keys. */
  readonly shared: Driver | DocumentDriver;
  /** Present where documents are rows. */
  readonly tables: TestTables | undefined;
  clear(): Promise<void>;
  expireLeases(): Promise<void>;
  /** Moves the end of every back-off to `ms` from now. */
  endBackoffIn(ms: number): Promise<void>;
  removeClusters(): Promise<void>;
  /** Everything that is stored of clusters, in a form to be compared. */
  storedClusters(): Promise<readonly string[]>;
  /** The text that is stored of some cluster. */
  storedBody(): Promise<string>;
  /** Stores what is stored of one cluster as another one's. */
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

/** A new, empty store. Disposal removes what it stands on. */
export interface Target extends AsyncDisposable {
  open(keyring?: Keyring): Promise<TestStore>;
}

/** Where the suite runs, and in what stores really differ. */
export interface TargetKind {
  readonly start: () => Promise<Target>;
  /**
   * Documents are rows of tables, which migrations make and a sweep empties. Cosmos DB has containers without a
   * schema, and removes expired items by itself.
   */
  readonly hasTables: boolean;
  /** Of documents that are queued and have unique keys. A batch of Cosmos DB has 100 operations, and these take two. */
  readonly writesPerCommit: number;
  /** PostgreSQL indexes a partition key of thousands of bytes that compresses well; Cosmos DB takes 2,048. */
  readonly hasLongNames: boolean;
}
