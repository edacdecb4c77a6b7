import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Secret, silentLogger } from "@keelson/base";
import { defineCollection } from "../collection.ts";
import type { Database } from "../database.ts";
import type { Connection, Driver } from "../driver.ts";
import { createKeyring, generateKey, type Keyring } from "../keyring.ts";
import { openDatabase } from "../open.ts";
import { pgliteDriver } from "../pglite/driver.ts";
import { postgresDriver } from "../postgres/driver.ts";
import { startPostgres } from "./postgres.ts";

/** A document of the tests; stored in the tables of the service. */
export interface TestCluster {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: string;
  readonly clientIdKey?: string;
  readonly busy?: boolean;
  readonly version?: number;
  readonly openShiftCluster?: {
    readonly pullSecret?: Secret | string;
    readonly sshKey?: Secret;
    readonly profiles?: readonly { readonly name?: string; readonly password?: Secret }[];
    readonly users?: Readonly<Record<string, { readonly token?: Secret }>>;
    readonly [unknownMember: string]: unknown;
  };
}

export interface TestEntry {
  readonly id: string;
  readonly partitionKey: string;
  readonly operationId: string;
  readonly pullSecret?: Secret;
}

const secretPaths = [
  "openShiftCluster.pullSecret",
  "openShiftCluster.sshKey",
  "openShiftCluster.profiles[].password",
  "openShiftCluster.users{}.token",
];

export const testDefinitions = {
  clusters: {
    ...defineCollection<TestCluster>({
      name: "openshift_clusters",
      keys: { key: (document) => document.key, clientIdKey: (document) => document.clientIdKey },
      unique: ["key", "clientIdKey"],
      secretPaths,
    }),
    queued: (document: TestCluster) => document.busy === true,
  },
  journal: defineCollection<TestEntry>({
    name: "journal",
    keys: { operationId: (document) => document.operationId },
    unique: [],
    secretPaths: [],
    ttlSeconds: 3_600,
  }),
};

export type TestDatabase = Database<typeof testDefinitions>;

/** An open store, with a way below its contract to look at rows and to move its clock by changing them. */
export interface TestStore extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly connection: Connection;
  /** Another database over the same store, for example with other keys. */
  readonly shared: Driver;
  sql(text: string, ...values: readonly (string | number)[]): ReturnType<Connection["query"]>;
  clear(): Promise<void>;
}

export async function openTestStore(driver: Driver, keyring: Keyring = testKeyring()): Promise<TestStore> {
  const signal = AbortSignal.timeout(120_000);
  const connection = await driver.open({ logger: silentLogger, signal });
  const shared: Driver = {
    name: driver.name,
    exclusive: false,
    open: async () => ({ ...delegate(connection), async [Symbol.asyncDispose]() {} }),
  };
  const database = await openDatabase({
    driver: shared,
    definitions: testDefinitions,
    keyring,
    logger: silentLogger,
    signal,
  });
  return {
    database,
    connection,
    shared,
    sql: (text, ...values) => connection.query({ text }, values, signal),
    async clear() {
      await connection.query(
        { text: "truncate openshift_clusters, journal, subscriptions, async_operations, openshift_versions" },
        [],
        signal,
      );
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
}

export function testKeyring() {
  return createKeyring({ current: "key-1", keys: { "key-1": generateKey() } });
}

/** The driver of a new, empty store. Disposal removes what it stands on. */
export interface Target extends AsyncDisposable {
  readonly driver: Driver;
}

/** Where the suite runs. */
export const targets: Readonly<Record<string, () => Promise<Target>>> = {
  "PGlite in memory": async () => ({
    driver: pgliteDriver({ dataDir: undefined }),
    async [Symbol.asyncDispose]() {},
  }),
  "PGlite on disk": async () => {
    const folder = await mkdtemp(join(tmpdir(), "keelson-pglite-"));
    return {
      driver: pgliteDriver({ dataDir: join(folder, "data") }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
  PostgreSQL: async () => {
    const server = await startPostgres();
    return {
      driver: postgresDriver({ url: await server.createDatabase() }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

/** A cluster with values of its own where they must be unique. */
export function testCluster(overrides: Partial<TestCluster> = {}): TestCluster {
  const id = randomUUID();
  return { id, partitionKey: "subscription", key: `/key/${id}`, ...overrides };
}

function delegate(connection: Connection): Omit<Connection, typeof Symbol.asyncDispose> {
  return {
    query: (...args) => connection.query(...args),
    transaction: (...args) => connection.transaction(...args),
    listen: (...args) => connection.listen(...args),
    maintain: (...args) => connection.maintain(...args),
  };
}
