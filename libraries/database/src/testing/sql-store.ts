import { silentLogger } from "@keelson/base";
import type { Connection, Driver } from "../drivers/driver.ts";
import type { Keyring } from "../encryption/keyring.ts";
import { openDatabase } from "../open.ts";
import { testDefinitions, testKeyring } from "./test-documents.ts";
import type { TestStore, TestTables } from "./test-store.ts";

export interface SqlTestStore extends TestStore, TestTables {
  readonly tables: TestTables;
  readonly shared: Driver;
}

/** Deletes all rows while triggers are disabled. Truncating would create new files for every table and index. */
const emptyTables = `begin;
  set local session_replication_role = replica;
  delete from openshift_clusters; delete from journal; delete from maintenance_manifests;
  commit`;

export async function openTestStore(driver: Driver, keyring: Keyring = testKeyring()): Promise<SqlTestStore> {
  const signal = AbortSignal.timeout(900_000);
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
  const sql: TestTables["sql"] = (text, ...values) => connection.query({ text }, values, signal);
  const run = async (...statement: Parameters<TestTables["sql"]>) => {
    await sql(...statement);
  };
  return {
    database,
    connection,
    shared,
    sql,
    tables: { connection, sql },
    clear: () => connection.session(({ execute }) => execute(emptyTables), signal),
    expireLeases: () => run("update openshift_clusters set lease_expires = now() - interval '1 ms'"),
    endBackoffIn: (ms) =>
      run("update openshift_clusters set not_before = now() + make_interval(secs => $1)", ms / 1_000),
    removeClusters: () => run("delete from openshift_clusters"),
    async storedClusters() {
      const rows = await sql("select row_to_json(t)::text as row from openshift_clusters t");
      return rows.map(({ row }) => row ?? "");
    },
    async storedBody() {
      const [row] = await sql("select body::text as body from openshift_clusters order by id");
      return row?.body ?? "";
    },
    copyBody: (fromId, toId) =>
      run(
        "update openshift_clusters set updated_at = now() + interval '1 second'," +
          " body = (select body from openshift_clusters where id = $1) where id = $2",
        fromId,
        toId,
      ),
    expireEntriesIn: (ms) =>
      run("update journal set expires_at = now() + make_interval(secs => $1)", ms / 1_000),
    async entryExpiresIn() {
      const [row] = await sql(
        "select (extract(epoch from expires_at - now()) * 1000)::text as ms from journal",
      );
      return Number(row?.ms);
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
}

function delegate(connection: Connection): Omit<Connection, typeof Symbol.asyncDispose> {
  return {
    notifiesLater: connection.notifiesLater,
    query: (...args) => connection.query(...args),
    session: (...args) => connection.session(...args),
    listen: (...args) => connection.listen(...args),
    maintain: (...args) => connection.maintain(...args),
  };
}
