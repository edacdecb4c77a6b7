import type { Logger } from "@keelson/base";
import { ChangeFeed } from "./change-feed/change-feed.ts";
import type { Document } from "./documents/collection.ts";
import type { Collections, Database, Definitions } from "./documents/database.ts";
import { errors } from "./documents/errors.ts";
import { type Table, tableOf } from "./documents/table.ts";
import type { DocumentDriver, OpenStoreOptions } from "./drivers/document-driver.ts";
import type { Connection, Driver } from "./drivers/driver.ts";
import { documentCodec } from "./encryption/document-codec.ts";
import { migrate, pendingMigrations } from "./migrations/migrate.ts";
import { type Migration, readMigrations } from "./migrations/migration.ts";
import { Announcer } from "./store/announcer.ts";
import type { CollectionStore } from "./store/collection-store.ts";
import { type CommitContext, commit } from "./store/commit.ts";
import { CreateBatch } from "./store/create-batch.ts";
import { documentCollection } from "./store/document-collection.ts";
import type { ColumnTypes } from "./store/document-query.ts";
import { documentQueue } from "./store/document-queue.ts";
import { runHousekeeping } from "./store/housekeeping.ts";
import { listenToNotifications } from "./store/notifications.ts";

export interface OpenDatabaseOptions<D extends Definitions> extends OpenStoreOptions<D> {
  readonly driver: Driver | DocumentDriver;
}

/**
 * Connects to the store, and creates or migrates its schema. Disposal closes the store.
 * @throws StoreUnavailable, SchemaAhead, SchemaMismatch, UnsuitableAccount
 */
export function openDatabase<const D extends Definitions>(
  options: OpenDatabaseOptions<D>,
): Promise<Database<D>> {
  const { driver } = options;
  return "openStore" in driver ? driver.openStore(options) : openSqlDatabase(driver, options);
}

async function openSqlDatabase<D extends Definitions>(
  driver: Driver,
  { definitions, keyring, logger, signal, migrations = "apply", use = "all", observer }: OpenStoreOptions<D>,
): Promise<Database<D>> {
  const stack = new AsyncDisposableStack();
  try {
    const connection = stack.use(await driver.open({ logger, signal }));
    await ensureSchema(connection, migrations, logger, signal);
    if (observer) connection.observe?.(observer);
    const firstProbe = use === "reads" ? undefined : connection.probeWrites?.();
    const columnTypes = await readColumnTypes(connection, signal);
    const stores = Object.entries(definitions).map(([name, definition]) => {
      const store = {
        connection,
        definition,
        table: tableOf(definition),
        columnTypes,
        codec: documentCodec(definition, keyring),
        keyring,
        logger,
      };
      return { name, store };
    });
    const tables = stores.map(({ store }) => store.table);
    await verifyTables(connection, tables, signal);
    if (driver.exclusive) await voidLeases(connection, tables, signal);
    const feed = stack.use(
      new ChangeFeed((listener, ending) => listenToNotifications(connection, listener, ending), logger),
    );
    if (use === "all" || driver.exclusive) stack.use(startHousekeeping(connection, tables, logger));
    const announcer =
      connection.notifiesLater && use !== "reads" ? stack.use(new Announcer(connection, logger)) : undefined;
    const context: CommitContext = {
      connection,
      announcer,
      stores: new Map(stores.map(({ store }) => [store.table.name, store])),
      creations: new CreateBatch(connection, announcer !== undefined),
    };
    // The cast is safe, because the type distinguishes collections by the same rule as `collectionOf`.
    const collections = Object.fromEntries(
      stores.map(({ name, store }) => [name, collectionOf(store)]),
    ) as unknown as Collections<D>;
    return {
      collections,
      commit: (partitionKey, writes, commitOptions) => commit(context, partitionKey, writes, commitOptions),
      changes: (ending) => feed.subscribe(ending),
      writes: () => connection.writes?.() ?? { kind: "accepted" },
      firstProbe: async () => firstProbe,
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

async function ensureSchema(
  connection: Connection,
  mode: "apply" | "require",
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const migrations = await readMigrations();
  if (mode === "apply") {
    const onStart = ({ version }: Migration) => logger.info({ version }, "applying a migration");
    await migrate(connection, migrations, { onStart, signal });
    return;
  }
  const pending = await pendingMigrations(connection, migrations, signal);
  if (pending.length === 0) return;
  const versions = pending.map(({ version }) => version).join(", ");
  throw errors.SchemaBehind(
    `The database lacks the migrations ${versions}, and this process must not apply them: run "keelson migrate".`,
  );
}

function collectionOf(store: CollectionStore<Document>) {
  return store.definition.queued ? documentQueue(store) : documentCollection(store);
}

/**
 * Removes all leases when an exclusive store is opened, because the processes that held them have exited. The interrupted
 * attempts are not counted, because the documents did not cause the exit of the process.
 */
async function voidLeases(
  connection: Connection,
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<void> {
  for (const { name, fair } of tables.filter(({ leased }) => leased)) {
    const turn = fair ? ", turn = case when queue_position is not null then 0 end" : "";
    const text = `update ${name} set lease_owner = null, lease_expires = null, attempts = greatest(attempts - 1, 0)${turn} where lease_owner is not null`;
    await connection.query({ text }, [], signal);
  }
}

function startHousekeeping(
  connection: Connection,
  tables: readonly Table[],
  logger: Logger,
): AsyncDisposable {
  const stop = new AbortController();
  const running = runHousekeeping(connection, tables, logger, stop.signal);
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
const dueColumns = ["due_at", "priority"];

/** Reads `pg_catalog`, because `information_schema` hides the columns of tables without privileges. */
const columnsOfSchema =
  "from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = current_schema()::regnamespace" +
  " and relkind in ('r', 'p') and attnum > 0 and not attisdropped";

async function readColumnTypes(connection: Connection, signal: AbortSignal): Promise<ColumnTypes> {
  const text = `select relname || '.' || attname as name ${columnsOfSchema} and atttypid = 'bigint'::regtype`;
  const rows = await connection.query({ text }, [], signal);
  return new Map(rows.map(({ name }) => [name ?? "", "bigint"]));
}

/** Verifies that the tables have all required columns. A missing column is then reported at start and not at the first write. */
async function verifyTables(
  connection: Connection,
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<void> {
  const rows = await connection.query(
    {
      text:
        `select relname || '.' || attname as name ${columnsOfSchema}` +
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
      ...(table.sealed ? ["sealed_key_id"] : []),
      ...(table.ordered ? dueColumns : []),
      ...(table.fair ? ["turn"] : []),
      ...table.columns.map(({ column }) => column),
    ];
    const wanted = [...columns.map((column) => `${table.name}.${column}`), ...table.uniqueIndexes.keys()];
    const missing = wanted.filter((name) => !existing.has(name));
    if (missing.length > 0) throw errors.SchemaMismatch(`No migration creates ${missing.join(", ")}.`);
  }
}
