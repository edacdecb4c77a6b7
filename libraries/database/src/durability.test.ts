import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { silentLogger } from "@keelson/base";
import { create } from "./documents/database.ts";
import { createKeyring, generateKey } from "./encryption/keyring.ts";
import { openDatabase } from "./open.ts";
import { pgliteDriver } from "./pglite/driver.ts";
import { postgresDriver } from "./postgres/driver.ts";
import { startTestCosmos, type TestCosmos, testCosmosDriver } from "./testing/cosmos-store.ts";
import { type PostgresServer, startPostgres } from "./testing/postgres.ts";
import { openTestStore } from "./testing/sql-store.ts";
import { type TestDatabase, testCluster, testDefinitions } from "./testing/test-documents.ts";

const key = Buffer.from(generateKey());
const keyring = createKeyring({ current: "key", keys: { key } });
const signal = AbortSignal.timeout(900_000);
const writer = join(import.meta.dirname, "testing", "crash-writer.ts");

/** Starts a writer and kills it with SIGKILL after `count` acknowledged writes. Returns the IDs of these writes. */
async function writeUntilKilled(
  kind: string,
  place: string,
  prefix: string,
  count: number,
): Promise<string[]> {
  const args = ["--disable-warning=ExperimentalWarning", writer, kind, place, key.toString("hex"), prefix];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill("SIGKILL");
  }
  assert.deepEqual(await exited, [null, "SIGKILL"]);
  return acknowledged;
}

/** Verifies that acknowledged documents exist, and that interrupted commits are stored completely or not at all. */
async function verify(database: TestDatabase, acknowledged: readonly string[]) {
  const { clusters, journal } = database.collections;
  for (const id of acknowledged) {
    const stored = await clusters.find("subscription", id, signal);
    assert.ok(stored, `acknowledged document ${id} is there`);
  }
  const all = await clusters.list({ limit: 10_000 }, signal);
  const entries = await journal.list({ limit: 10_000 }, signal);
  const idsOf = (page: typeof all | typeof entries) => page.items.map(({ document }) => document.id);
  assert.deepEqual(idsOf(all), idsOf(entries));
  assert.deepEqual(await clusters.queueLength(signal), { begun: 0, fresh: all.items.length });
}

/** True if a file in the directory contains the string. */
async function someFileHolds(directory: string, text: string): Promise<boolean> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, "utf16le"))) return true;
  }
  return false;
}

async function assertSecretsUnreadable(directory: string) {
  assert.equal(await someFileHolds(directory, "legible text"), true, "the search finds what is not secret");
  for (const text of ["battery", Buffer.from("correct horse battery").toString("base64").slice(0, 20)]) {
    assert.equal(await someFileHolds(directory, text), false);
  }
}

describe("kill -9 of a process that writes to PGlite", () => {
  let directory: string;
  let dataDir: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "keelson-crash-"));
    dataDir = join(directory, "data");
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test("loses nothing that was acknowledged, time and again, and the store opens", async () => {
    const acknowledged: string[] = [];
    for (const [round, count] of [30, 1, 77].entries()) {
      acknowledged.push(...(await writeUntilKilled("pglite", dataDir, `round${round}`, count)));
    }
    assert.ok((await readdir(dataDir)).includes("postmaster.pid"), "the killed process left its lock");
    await using store = await openTestStore(pgliteDriver({ dataDir }), keyring);
    await verify(store.database, acknowledged);
  });

  test("a closed store is unavailable", async () => {
    const store = await openTestStore(pgliteDriver({ dataDir }), keyring);
    await store[Symbol.asyncDispose]();
    await assert.rejects(store.database.ping(signal), { name: "StoreUnavailable" });
  });

  test("the files of an open store cannot be opened a second time", async () => {
    await using _ = await openTestStore(pgliteDriver({ dataDir }), keyring);
    await assert.rejects(openTestStore(pgliteDriver({ dataDir }), keyring), {
      name: "StoreInUse",
      message: /different process has the database in .* open/,
    });
  });

  test("leases of an earlier process are void and count as no attempt, since it must have ended", async () => {
    const open = () =>
      openDatabase({
        driver: pgliteDriver({ dataDir }),
        definitions: testDefinitions,
        keyring,
        logger: silentLogger,
        signal,
      });
    const take = (database: Awaited<ReturnType<typeof open>>) =>
      database.collections.clusters.acquire({ owner: "worker", ttlMs: 3_600_000, limit: 10_000, signal });
    let generation = 0;
    {
      await using database = await open();
      const cluster = testCluster({ busy: true });
      await database.commit(cluster.partitionKey, [create(database.collections.clusters, cluster)], {
        signal,
      });
      generation = Math.max(...(await take(database)).map(({ lease }) => lease.generation));
      assert.ok(generation > 0);
      assert.equal((await take(database)).length, 0);
    }
    await using database = await open();
    const again = await take(database);
    assert.ok(again.length > 0 && again.every(({ lease }) => lease.generation > generation));
    assert.ok(
      again.every(({ attempt }) => attempt === 1),
      "the death of the only process is no attempt",
    );
  });

  test("leaves no secret readable in the files", () => assertSecretsUnreadable(dataDir));
});

describe("kill -9 of a process that writes to PostgreSQL", () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server[Symbol.asyncDispose]());

  test("loses nothing that was acknowledged, and no secret is readable in the server's files", async () => {
    const url = await server.createDatabase();
    const acknowledged: string[] = [];
    for (const [round, count] of [30, 77].entries()) {
      acknowledged.push(...(await writeUntilKilled("postgres", url, `round${round}`, count)));
    }
    await using store = await openTestStore(postgresDriver({ url }), keyring);
    await verify(store.database, acknowledged);
    await store.connection.query({ text: "checkpoint" }, [], signal);
    await assertSecretsUnreadable(server.dataDirectory);
  });
});

describe("kill -9 of a process that writes to Cosmos DB", () => {
  let account: TestCosmos;
  before(async () => {
    account = await startTestCosmos();
  });
  after(() => account[Symbol.asyncDispose]());

  test("loses nothing that was acknowledged, and no secret is readable in the items", async () => {
    const databaseName = "crash";
    const place = JSON.stringify({ url: account.url, databaseName, accountKey: account.key.reveal() });
    const acknowledged: string[] = [];
    for (const [round, count] of [20, 37].entries()) {
      acknowledged.push(...(await writeUntilKilled("cosmos", place, `round${round}`, count)));
    }
    const driver = testCosmosDriver(account, databaseName);
    await using database = await openDatabase({
      driver,
      definitions: testDefinitions,
      keyring,
      logger: silentLogger,
      signal,
    });
    await verify(database, acknowledged);
    const stored: string[] = [];
    account.editItems((item) => {
      stored.push(JSON.stringify(item));
      return item;
    });
    assert.ok(stored.some((item) => item.includes("legible text")));
    assert.ok(!stored.some((item) => item.includes("battery")));
  });
});
