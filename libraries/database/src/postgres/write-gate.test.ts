import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { until } from "@keelson/base/testing/eventually";
import pg from "pg";
import { create, type Database } from "../documents/database.ts";
import { WriteGate } from "../drivers/write-gate.ts";
import { openDatabase } from "../open.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres.ts";
import { testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { CommitProbe } from "./commit-probe.ts";
import { postgresDriver } from "./driver.ts";

const signal = AbortSignal.timeout(900_000);
let server: PostgresServer;
let admin: pg.Client;
let database: Database<typeof testDefinitions>;

before(async () => {
  server = await startPostgres();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const options = { url: await server.createDatabase(), maxConnections: 3 };
  database = await openDatabase({
    driver: postgresDriver({ ...options, writeProbe: { everyMs: 100, limitMs: 1_000 } }),
    definitions: testDefinitions,
    keyring: testKeyring(),
    logger: silentLogger,
    signal,
  });
});
after(async () => {
  await database[Symbol.asyncDispose]();
  await admin.end();
  await server[Symbol.asyncDispose]();
});

async function setStandbys(names: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${names}'`);
  await admin.query("select pg_reload_conf()");
}

let entries = 0;
const write = () => {
  const id = `${entries++}`;
  return database.commit(
    "s",
    [create(database.collections.journal, { id, partitionKey: "s", operationId: "o" })],
    {
      signal,
    },
  );
};
const sessions = async () => {
  const { rows } = await admin.query(
    "select count(*)::int as count from pg_stat_activity where application_name = 'keelson'",
  );
  return rows[0].count;
};

test("while commits wait for a standby, writes fail with the cause, reads work and connections do not pile up", async () => {
  assert.equal((await write()).kind, "committed");
  await setStandbys("nosuch");
  await until(
    async () =>
      (await admin.query("show synchronous_standby_names")).rows[0].synchronous_standby_names !== "",
  );
  const refused = {
    code: "StoreUnavailable",
    message: /accepts no writes\. Commits wait for a synchronous standby.*nosuch/,
  };
  // Commits wait only after PostgreSQL's checkpointer has also read the setting.
  await until(() =>
    write().then(
      () => false,
      () => true,
    ),
  );
  await assert.rejects(write(), refused);
  await until(() => database.writes().kind === "blocked");
  const state = database.writes();
  assert.ok(state.kind === "blocked" && state.cause === "synchronous_replication", JSON.stringify(state));
  const before = await sessions();
  for (let attempt = 0; attempt < 20; attempt++) await assert.rejects(write(), refused);
  const { items } = await database.collections.journal.list({ partitionKey: "s", limit: 10 }, signal);
  assert.ok(items.length >= 1);
  assert.ok((await sessions()) <= before + 1, "each refused write would leave a session behind");

  await setStandbys("");
  await until(() => database.writes().kind === "accepted");
  assert.equal((await write()).kind, "committed");
});

/** Runs a write gate with these probe results, one per tick of 100 ms. */
async function gateOver(...outcomes: readonly (Error | undefined)[]) {
  const clock = new ManualClock();
  const left = [...outcomes];
  const probe = new CommitProbe(
    () => new pg.Client(),
    async () => [],
    { host: "localhost", port: 5432, database: "test" },
  );
  probe.commit = async () => {
    const error = left.shift();
    if (error) throw error;
  };
  const gate = new WriteGate({ probe, everyMs: 100, limitMs: 100, clock, logger: silentLogger });
  await turn();
  return {
    gate,
    tick: async () => {
      await clock.advance(100);
      await turn();
    },
    [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose](),
  };
}

const refusal = (code: string) => Object.assign(new Error("no space"), { code, severity: "ERROR" });

test("a full disk blocks writes until a probe commits, a lost connection and a forbidden probe do not", async () => {
  await using over = await gateOver(
    refusal("53100"),
    undefined,
    new Error("Connection terminated"),
    refusal("42501"),
    refusal("53300"),
  );
  const { gate, tick } = over;
  assert.deepEqual(gate.state, {
    kind: "blocked",
    cause: "refused",
    reason: "PostgreSQL refuses writes: no space",
  });
  await assert.rejects(
    gate.guard(async () => 1),
    { code: "StoreUnavailable", message: /no space/ },
  );
  for (let probe = 0; probe < 4; probe++) {
    await tick();
    assert.equal(gate.state.kind, "accepted");
    assert.equal(await gate.guard(async () => 1), 1);
  }
});

test("writes in progress are rejected when writes become blocked, completed ones are not affected", async () => {
  await using over = await gateOver(undefined, refusal("58030"));
  const { gate, tick } = over;
  const pending = Promise.withResolvers<number>();
  const done = gate.guard(async () => 1);
  const waiting = gate.guard(() => pending.promise);
  assert.equal(await done, 1);
  const rejected = assert.rejects(waiting, { code: "StoreUnavailable" });
  await tick();
  await rejected;
  pending.resolve(2);
});

test("the first result names the error of a probe that shows nothing about writes", async () => {
  for (const error of [refusal("42501"), new Error("Connection terminated")]) {
    await using over = await gateOver(error);
    assert.deepEqual(await over.gate.first, { kind: "failed", reason: error.message });
    assert.equal(over.gate.state.kind, "accepted");
  }
  await using refused = await gateOver(refusal("53100"));
  assert.equal((await refused.gate.first).kind, "blocked");
  await using well = await gateOver(undefined);
  assert.equal((await well.gate.first).kind, "accepted");
});

test("a write that a full disk refuses blocks writes until the next probe, other failed writes do not", async () => {
  await using over = await gateOver(undefined, undefined);
  const { gate, tick } = over;
  const failing = (error: Error) => gate.guard(() => Promise.reject(error));
  await assert.rejects(failing(refusal("23505")), /no space/);
  await assert.rejects(failing(refusal("XX000")), /no space/);
  assert.equal(gate.state.kind, "accepted");
  await assert.rejects(failing(refusal("53100")), { code: "53100" });
  assert.deepEqual(gate.state, {
    kind: "blocked",
    cause: "refused",
    reason: "PostgreSQL refuses writes: no space",
  });
  await assert.rejects(failing(refusal("23505")), { code: "StoreUnavailable" });
  await tick();
  assert.equal(gate.state.kind, "accepted");
});
