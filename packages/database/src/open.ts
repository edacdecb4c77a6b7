import type { Logger } from "@keelson/base";
import { ChangeFeed } from "./change-feed.ts";
import type { Document } from "./collection.ts";
import { type CollectionStores, commit } from "./commit.ts";
import type { Collections, Database, Definitions } from "./database.ts";
import { documentCodec } from "./document-codec.ts";
import { documentCollection } from "./document-collection.ts";
import { documentQueue } from "./document-queue.ts";
import type { Connection, Driver } from "./driver.ts";
import { errors } from "./errors.ts";
import { keepHouse } from "./housekeeping.ts";
import type { Keyring } from "./keyring.ts";
import { migrate, readMigrations } from "./migrate.ts";
import type { CollectionStore } from "./store.ts";
import { type Table, tableOf } from "./table.ts";

export interface OpenDatabaseOptions<D extends Definitions> {
  readonly driver: Driver;
  readonly definitions: D;
  readonly keyring: Keyring;
  readonly logger: Logger;
  /** Stops the opening. An open database ends with its disposal. */
  readonly signal: AbortSignal;
}

/**
 * Connects, migrates the tables, and serves until disposed.
 * @throws StoreUnavailable, SchemaAhead, SchemaMismatch
 */
export async function openDatabase<const D extends Definitions>(
  options: OpenDatabaseOptions<D>,
): Promise<Database<D>> {
  const { driver, definitions, keyring, logger, signal } = options;
  const stack = new AsyncDisposableStack();
  try {
    const connection = stack.use(await driver.open({ logger, signal }));
    await migrate(connection, await readMigrations(), signal);
    const stores = Object.entries(definitions).map(([name, definition]) => {
      const store = {
        connection,
        definition,
        table: tableOf(definition),
        codec: documentCodec(definition, keyring),
        logger,
      };
      return { name, store };
    });
    const tables = stores.map(({ store }) => store.table);
    await verifyTables(connection, tables, signal);
    if (driver.exclusive) await voidLeases(connection, tables, signal);
    const feed = stack.use(new ChangeFeed(connection, logger));
    stack.use(startHousekeeping(connection, tables, logger));
    const byTable: CollectionStores = new Map(stores.map(({ store }) => [store.table.name, store]));
    // Which definition makes which kind of collection is decided once, in `collectionOf`, as the type says it.
    const collections = Object.fromEntries(
      stores.map(({ name, store }) => [name, collectionOf(store)]),
    ) as unknown as Collections<D>;
    return {
      collections,
      commit: (partitionKey, writes, commitOptions) =>
        commit(connection, byTable, partitionKey, writes, commitOptions),
      changes: (ending) => feed.subscribe(ending),
      ping: async (pingSignal) => {
        await connection.query({ text: "select 1::text as one" }, [], pingSignal);
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function collectionOf(store: CollectionStore<Document>) {
  return store.definition.queued ? documentQueue(store) : documentCollection(store);
}

/**
 * Nobody else can hold a lease, so that what a killed process was at need not wait for its lease to expire. The
 * death of the only process is no sign of a document that kills its workers: it does not count as an attempt.
 */
async function voidLeases(
  connection: Connection,
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<void> {
  for (const { name } of tables.filter(({ leased }) => leased)) {
    const text = `update ${name} set lease_owner = null, lease_expires = null, attempts = greatest(attempts - 1, 0) where lease_owner is not null`;
    await connection.query({ text }, [], signal);
  }
}

function startHousekeeping(
  connection: Connection,
  tables: readonly Table[],
  logger: Logger,
): AsyncDisposable {
  const stop = new AbortController();
  const running = keepHouse(connection, tables, logger, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const documentTableColumns = ["partition_key", "id", "etag", "body", "updated_at", "expires_at"];
const leaseColumns = [
  "queued_at",
  "not_before",
  "lease_owner",
  "lease_generation",
  "lease_expires",
  "attempts",
];

/** Fails early, and by name, where the first write would. */
async function verifyTables(
  connection: Connection,
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<void> {
  const rows = await connection.query(
    {
      text:
        "select table_name || '.' || column_name as name from information_schema.columns where table_schema = current_schema()" +
        " union all select indexname from pg_indexes where schemaname = current_schema()",
    },
    [],
    signal,
  );
  const existing = new Set(rows.map((row) => row.name));
  for (const table of tables) {
    const columns = [
      ...documentTableColumns,
      ...(table.leased ? leaseColumns : []),
      ...table.columns.map(({ column }) => column),
    ];
    const wanted = [...columns.map((column) => `${table.name}.${column}`), ...table.uniqueIndexes.keys()];
    const missing = wanted.filter((name) => !existing.has(name));
    if (missing.length > 0) throw errors.SchemaMismatch(`No migration makes ${missing.join(", ")}.`);
  }
}
