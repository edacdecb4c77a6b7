import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { silentLogger } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { create } from "../documents/database.ts";
import { openDatabase } from "../open.ts";
import { Announcer } from "../store/announcer.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres.ts";
import { openTestStore } from "../testing/sql-store.ts";
import { testCluster, testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { postgresDriver } from "./driver.ts";

const signal = AbortSignal.timeout(900_000);
let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

function open(url: string, connectTimeoutMs = 2_000) {
  return openDatabase({
    driver: postgresDriver({ url, connectTimeoutMs }),
    definitions: testDefinitions,
    keyring: testKeyring(),
    logger: silentLogger,
    signal,
  });
}

test("an unreachable server is named by host, port and database, never with the password", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  assert.ok(address !== null && typeof address !== "string");
  const real = new URL(server.url);
  const changed = (change: (url: URL) => void) => {
    const url = new URL(real);
    url.password = "hunter2";
    change(url);
    return url.href;
  };
  try {
    for (const [url, parts] of [
      ["postgres://me:hunter2@127.0.0.1:1/store", ["127.0.0.1:1", "store", "ECONNREFUSED"]],
      ["postgres://me:hunter2@nowhere.invalid:5432/store", ["nowhere.invalid:5432", "store"]],
      [
        `postgres://me:hunter2@127.0.0.1:${address.port}/store`,
        [`127.0.0.1:${address.port}`, "store", "timeout"],
      ],
      [changed(() => {}), [real.host, "postgres", "password authentication failed"]],
      [new URL("/absent", real).href, [real.host, "absent", "does not exist"]],
    ] as const) {
      await assert.rejects(open(url, 500), (error: Error) => {
        assert.equal(error.name, "StoreUnavailable");
        for (const part of parts) assert.ok(error.message.includes(part), `${part} in ${error.message}`);
        assert.ok(!error.message.includes("hunter2") && !error.message.includes(real.password));
        return true;
      });
    }
  } finally {
    silent.close();
  }
});

test("a URL that cannot be parsed is refused without quoting it", () => {
  assert.throws(
    () => postgresDriver({ url: "postgres://me:hunter2@host:port/store" }),
    (error: Error) => {
      assert.equal(error.name, "InvalidStoreUrl");
      assert.ok(!JSON.stringify([error.message, error.stack, error.cause]).includes("hunter2"));
      return true;
    },
  );
});

test("a missing file of a URL parameter is named, without the URL", () => {
  assert.throws(
    () =>
      postgresDriver({ url: "postgres://me:hunter2@host/store?sslmode=verify-full&sslrootcert=/no/ca.pem" }),
    (error: Error) => {
      assert.equal(error.name, "InvalidStoreUrl");
      assert.match(error.message, /cannot be read: ENOENT.*\/no\/ca\.pem/);
      assert.ok(!JSON.stringify([error.message, error.stack, error.cause]).includes("hunter2"));
      return true;
    },
  );
});

test("any number of processes may start at once on an empty database", async () => {
  const url = await server.createDatabase();
  const databases = await Promise.all(Array.from({ length: 4 }, () => open(url)));
  for (const database of databases) await database[Symbol.asyncDispose]();
});

test("the change feed comes back with a resync after its connection was killed, and the pool too", async () => {
  const url = await server.createDatabase();
  await using database = await open(url);
  const { clusters } = database.collections;
  const changes = database.changes(signal)[Symbol.asyncIterator]();
  assert.equal((await changes.next()).value?.kind, "resync");
  for (let round = 0; round < 2; round++) {
    await server.terminateConnections(url);
    assert.equal((await changes.next()).value?.kind, "resync");
    const document = testCluster();
    await database.commit(document.partitionKey, [create(clusters, document)], { signal });
    const { id, partitionKey } = document;
    const changed = { kind: "changed", collection: "openshift_clusters", partitionKey, id };
    assert.deepEqual((await changes.next()).value, changed);
  }
  await changes.return?.();
});

test("a committed change of a dead writer is announced by other processes, once", async () => {
  await using store = await openTestStore(postgresDriver({ url: await server.createDatabase() }));
  const announced: string[] = [];
  const stop = new AbortController();
  const listens = Promise.withResolvers<void>();
  const listener = { listening: listens.resolve, notified: (payload: string) => announced.push(payload) };
  const listening = store.connection.listen("keelson_documents", listener, stop.signal);
  await listens.promise;
  await store.connection.session(async (session) => {
    await session.query({ text: "select set_config('keelson.notify', 'later', false)" }, []);
    const columns = "(partition_key, id, etag, body, updated_at)";
    for (const id of ["a", "b"]) {
      const text = `insert into openshift_versions ${columns} values ('v', $1, 1, '{}', now())`;
      await session.query({ text }, [id]);
    }
  }, signal);
  assert.deepEqual(announced, []);
  await using _ = new Announcer(store.connection, silentLogger, 5);
  while (announced.length < 2) await delay(5);
  await delay(50);
  assert.deepEqual(announced.sort(), [
    '["openshift_versions", "v", "a"]',
    '["openshift_versions", "v", "b"]',
  ]);
  assert.deepEqual(await store.sql("select payload from pending_changes"), []);
  stop.abort();
  await listening;
});

test("a connection killed under a statement is StoreUnavailable, and the next statement has a new one", async () => {
  const url = await server.createDatabase();
  await using store = await openTestStore(postgresDriver({ url }));
  const sleeping = assert.rejects(store.sql("select pg_sleep(60)"), { name: "StoreUnavailable" });
  await delay(50);
  await server.terminateConnections(url);
  await sleeping;
  await store.database.ping(signal);
});

test("an abort ends a statement at once, with the caller's reason", async () => {
  await using store = await openTestStore(postgresDriver({ url: await server.createDatabase() }));
  const stop = new AbortController();
  const started = performance.now();
  const sleeping = store.connection.query({ text: "select pg_sleep(60)" }, [], stop.signal);
  setTimeout(() => stop.abort(new Error("draining")), 20);
  await assert.rejects(sleeping, { message: "draining" });
  assert.ok(performance.now() - started < 5_000);
  await store.database.ping(signal);
});

test("a server that turns read-only, as a demoted primary does, is unavailable until it accepts writes again", async () => {
  const url = await server.createDatabase();
  await using database = await open(url);
  const { clusters } = database.collections;
  const name = new URL(url).pathname.slice(1);
  const put = () => {
    const document = testCluster();
    return database.commit(document.partitionKey, [create(clusters, document)], { signal });
  };
  await using admin = await openTestStore(postgresDriver({ url: await server.createDatabase() }));
  const turn = async (setting: string) => {
    await admin.sql(`alter database ${name} set default_transaction_read_only = ${setting}`);
    await server.terminateConnections(url);
  };
  assert.equal((await put()).kind, "committed");
  await turn("on");
  for (let round = 0; round < 3; round++) {
    await assert.rejects(put(), (error: Error) => {
      assert.equal(error.name, "StoreUnavailable");
      return round === 0 || /accepts no writes/.test(error.message);
    });
  }
  // Reads also fail, because the data of a standby may be outdated.
  await assert.rejects(clusters.find("subscription", "x", signal), { name: "StoreUnavailable" });
  await turn("off");
  for (let attempts = 1; ; attempts++) {
    const result = await put().catch((error: Error) => error.name);
    if (typeof result === "object") break;
    assert.ok(result === "StoreUnavailable" && attempts < 20, `${result}`);
  }
});

test("more callers than connections wait their turn", async () => {
  const driver = postgresDriver({ url: await server.createDatabase(), maxConnections: 2 });
  await using store = await openTestStore(driver);
  await Promise.all(Array.from({ length: 50 }, () => store.database.ping(signal)));
  const rows = await store.sql(
    "select count(*)::text as n from pg_stat_activity where datname = current_database()",
  );
  assert.ok(Number(rows[0]?.n) <= 2);
});

test("with 200,000 documents every query goes by an index", async () => {
  await using store = await openTestStore(postgresDriver({ url: await server.createDatabase() }));
  // One statement for all documents would exceed the time limit of statements on a busy machine.
  for (let first = 1; first <= 200_000; first += 10_000)
    await store.sql(`insert into openshift_clusters (partition_key, id, etag, body, updated_at, key, client_id_key, queue_position)
      select 'p' || g % 1000, 'i' || g, g, '{}', now(), '/p' || g % 1000 || '/' || g, 'c' || g, case when g % 100 = 0 then g end
      from generate_series(${first}, ${first + 9_999}) g`);
  await store.sql("analyze openshift_clusters");
  const plans: string[] = [];
  // Returns the query plans of the statements that the store sends.
  const explained = {
    ...store.shared,
    open: async () => ({
      ...(await store.shared.open({ logger: silentLogger, signal })),
      query: async (...[statement, values, querySignal]: Parameters<typeof store.connection.query>) => {
        if (/from (acquire_)?openshift_clusters/.test(statement.text)) {
          const plan = await store.connection.query(
            { text: `explain ${statement.text}` },
            values,
            querySignal,
          );
          plans.push(`${statement.text}\n${plan.map((row) => row["QUERY PLAN"]).join("\n")}`);
        }
        return store.connection.query(statement, values, querySignal);
      },
    }),
  };
  await using database = await openDatabase({
    driver: explained,
    definitions: testDefinitions,
    keyring: testKeyring(),
    logger: silentLogger,
    signal,
  });
  const { clusters } = database.collections;
  assert.equal((await clusters.acquire({ owner: "a", ttlMs: 60_000, limit: 1, signal })).length, 1);
  await clusters.queueLength(signal);
  await clusters.find("p1", "i1", signal);
  await clusters.findBy(undefined, "clientIdKey", "c7", signal);
  for (const query of [
    { partitionKey: "p7" },
    { partitionKey: "p7", orderBy: "key", prefix: { key: "key", value: "/p7/1" } },
    { orderBy: "key", prefix: { key: "key", value: "/p7/" } },
    {},
  ]) {
    const first = await clusters.list({ ...query, limit: 10 }, signal);
    assert.ok(first.continuation);
    await clusters.list({ ...query, limit: 10, continuation: first.continuation }, signal);
  }
  assert.equal(plans.length, 12);
  for (const plan of plans) assert.ok(!plan.includes("Seq Scan"), plan);
});

test("the cost of an acquisition grows with the subscriptions that wait, not with their documents", async () => {
  await using store = await openTestStore(postgresDriver({ url: await server.createDatabase() }));
  await store.sql(`insert into openshift_clusters (partition_key, id, etag, body, updated_at, key, queue_position)
    select 'p' || g % 20, 'i' || g, g, '{}', now(), '/' || g, g from generate_series(1, 40000) g`);
  await store.sql("analyze openshift_clusters");
  const rowsRead = await store.connection.session(async ({ query }) => {
    const read = async () => {
      await query({ text: "select pg_stat_force_next_flush()::text" }, []);
      const text =
        "select (seq_tup_read + coalesce(idx_tup_fetch, 0))::text as rows from pg_stat_user_tables where relname = 'openshift_clusters'";
      const [row] = await query({ text }, []);
      return Number(row?.rows);
    };
    const acquire = { text: "select count(*)::text as n from acquire_openshift_clusters('a', 60, 10, 5)" };
    const before = await read();
    const [acquired] = await query(acquire, []);
    assert.equal(acquired?.n, "10");
    return (await read()) - before;
  }, signal);
  assert.ok(rowsRead < 500, `${rowsRead} rows were read`);
});

test("new connections use the URL and the password of the moment, open ones stay", async () => {
  const url = await server.createDatabase();
  await using owner = await postgresDriver({ url }).open({ logger: silentLogger, signal });
  const setPassword = (name: string, password: string) =>
    owner.session(({ execute }) => execute(`alter role ${name} with login password '${password}'`), signal);
  await owner.session(({ execute }) => execute("create role rotated; create role rotated_next"), signal);
  await setPassword("rotated", "first");
  await setPassword("rotated_next", "third");
  const as = (name: string, password: string) => {
    const own = new URL(url);
    [own.username, own.password] = [name, password];
    return own.href;
  };
  let [current, password] = [as("rotated", ""), "first"];
  let isReadable = true;
  const driver = postgresDriver({
    url: () => current,
    async password() {
      if (!isReadable) throw new Error("no password");
      return password;
    },
  });
  await using connection = await driver.open({ logger: silentLogger, signal });
  const user = async () =>
    (await connection.query({ text: "select current_user::text as name" }, [], signal))[0]?.name;
  assert.equal(await user(), "rotated");

  await setPassword("rotated", "second");
  assert.equal(await user(), "rotated", "an open connection stays");
  await server.terminateConnections(url);
  await assert.rejects(user(), {
    code: "StoreUnavailable",
    message: /password authentication failed|terminat/,
  });
  password = "second";
  await until(async () => (await user().catch(() => undefined)) === "rotated");

  await server.terminateConnections(url);
  isReadable = false;
  await until(async () => (await user().catch((error: unknown) => Object(error).message)) === "no password");
  await assert.rejects(user(), { code: "StoreUnavailable", message: "no password" });
  isReadable = true;
  await until(async () => (await user().catch(() => undefined)) === "rotated");

  [current, password] = [as("rotated_next", ""), "third"];
  await server.terminateConnections(url);
  await until(async () => (await user().catch(() => undefined)) === "rotated_next");
});
