import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { silentLogger } from "@keelson/base";
import pg from "pg";
import type { Connection } from "../drivers/driver.ts";
import { migrate } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import { openDatabase } from "../open.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres.ts";
import { testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { postgresDriver } from "./driver.ts";

const signal = AbortSignal.timeout(900_000);
let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

interface Fixture extends AsyncDisposable {
  readonly url: string;
  readonly connection: Connection;
  /** Returns a separate client, like a different process. */
  client(): Promise<pg.Client>;
  /**
   * Waits until a statement that starts with `statement` waits for a lock. Returns the process ID of the server process that
   * executes the statement.
   */
  untilWaiting(statement: string): Promise<number>;
  /** Terminates one connection, like a server restart. */
  terminate(process: number): Promise<void>;
}

/** Creates a database with a table `things` of two rows. Statements of the pool time out after 600 ms. */
async function fixture(): Promise<Fixture> {
  const stack = new AsyncDisposableStack();
  const url = await server.createDatabase();
  const open = postgresDriver({ url, statementTimeoutMs: 600 });
  const connection = stack.use(await open.open({ logger: silentLogger, signal }));
  const client = async () => {
    const made = new pg.Client({ connectionString: url });
    made.on("error", () => {});
    await made.connect();
    stack.defer(() => made.end());
    return made;
  };
  const observer = await client();
  await observer.query("create table things (a int); insert into things values (1), (1)");
  return {
    url,
    connection,
    client,
    async untilWaiting(statement) {
      const text =
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1";
      for (;;) {
        const [waiting] = (await observer.query<{ pid: number }>(text, [`${statement}%`])).rows;
        if (waiting) return waiting.pid;
        signal.throwIfAborted();
        await delay(10);
      }
    },
    async terminate(process) {
      await observer.query("select pg_terminate_backend($1)", [process]);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const migration = (version: number, sql: string, transaction: Migration["transaction"] = "single") => ({
  version,
  breaking: false,
  transaction,
  sql,
});
const index = migration(1, "create index concurrently if not exists things_a on things (a);", "none");
const isValid = async (client: pg.Client) =>
  (await client.query("select indisvalid from pg_index where indexrelid = 'things_a'::regclass")).rows[0]
    ?.indisvalid;

test("a migration may take longer than any statement of the service", async () => {
  await using database = await fixture();
  const slow = migration(1, "select pg_sleep(2)");
  await assert.rejects(database.connection.query({ text: "select pg_sleep(2)" }, [], signal));
  assert.deepEqual(await migrate(database.connection, [slow], { signal }), [1]);
});

test("an index is built while others write to its table", async () => {
  await using database = await fixture();
  const [earlier, writer] = [await database.client(), await database.client()];
  await earlier.query("begin; insert into things values (2)");
  const migrated = migrate(database.connection, [index], { signal });
  await database.untilWaiting("create index concurrently");
  await writer.query("insert into things values (3)");
  await earlier.query("commit");
  assert.deepEqual(await migrated, [1]);
  assert.equal(await isValid(writer), true);
});

test("processes that start together apply each migration once", async () => {
  await using database = await fixture();
  const driver = postgresDriver({ url: database.url });
  await using other = await driver.open({ logger: silentLogger, signal });
  const migrations = [migration(1, "create table once (a int)"), { ...index, version: 2 }];
  const applied = await Promise.all(
    [database.connection, other, database.connection].map((each) => migrate(each, migrations, { signal })),
  );
  assert.deepEqual(applied.flat().sort(), [1, 2]);
});

test("what a build that was cut off left invalid is built again", async () => {
  await using database = await fixture();
  const client = await database.client();
  const unique = { ...index, sql: index.sql.replace("create", "create unique") };
  await assert.rejects(migrate(database.connection, [unique], { signal }), { code: "23505" });
  assert.equal(await isValid(client), false);
  await client.query("delete from things");
  assert.deepEqual(await migrate(database.connection, [unique], { signal }), [1]);
  assert.equal(await isValid(client), true);
});

test("a lost connection leaves a migration to be applied again", async () => {
  await using database = await fixture();
  const client = await database.client();
  await client.query("begin; lock table things");
  const migrations = [
    migration(1, "create table first (a int)"),
    migration(2, "alter table things add b int"),
  ];
  const failed = assert.rejects(migrate(database.connection, migrations, { signal }), {
    name: "StoreUnavailable",
  });
  // The table stays locked, so the change cannot complete before its connection is terminated.
  await database.terminate(await database.untilWaiting("alter table things"));
  await failed;
  await client.query("rollback");
  assert.deepEqual(await migrate(database.connection, migrations, { signal }), [2]);
});

test("a change of a busy table lets others have it in between, and is made once it is free", async () => {
  await using database = await fixture();
  const [holder, reader] = [await database.client(), await database.client()];
  await holder.query("begin; select * from things");
  const migrated = migrate(database.connection, [migration(1, "alter table things add b int")], { signal });
  await database.untilWaiting("alter table things");
  // This query waits behind the change. It completes only because the change stops waiting for its lock.
  assert.equal((await reader.query("select * from things")).rowCount, 2);
  await holder.query("commit");
  assert.deepEqual(await migrated, [1]);
});

test("an abort ends a migration, which is then not recorded", async () => {
  await using database = await fixture();
  const stop = new AbortController();
  const client = await database.client();
  await client.query("begin; lock table things");
  const change = migration(1, "alter table things add b int");
  const failed = assert.rejects(migrate(database.connection, [change], { signal: stop.signal }), {
    message: "stopped",
  });
  await database.untilWaiting("alter table things");
  stop.abort(new Error("stopped"));
  await failed;
  await client.query("commit");
  assert.deepEqual(await migrate(database.connection, [change], { signal }), [1]);
});

test("a process that may not migrate refuses a database that lacks migrations", async () => {
  const url = await server.createDatabase();
  const open = (migrations: "apply" | "require") =>
    openDatabase({
      driver: postgresDriver({ url }),
      definitions: testDefinitions,
      keyring: testKeyring(),
      logger: silentLogger,
      migrations,
      signal,
    });
  await assert.rejects(open("require"), {
    name: "SchemaBehind",
    message: /lacks the migrations 1, .*keelson migrate/,
  });
  await (await open("apply"))[Symbol.asyncDispose]();
  await (await open("require"))[Symbol.asyncDispose]();
});
