import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { silentLogger } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import type { Fault } from "@keelson/sim-azure/cosmos";
import { create, type Database } from "../documents/database.ts";
import type { WriteState } from "../documents/write-state.ts";
import { openDatabase } from "../open.ts";
import { startTestCosmos, type TestCosmos } from "../testing/cosmos-store.ts";
import { testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { cosmosDriver } from "./driver.ts";

const signal = AbortSignal.timeout(900_000);
const states: WriteState[] = [];
let account: TestCosmos;
let database: Database<typeof testDefinitions>;

const open = (use: "all" | "reads" = "all") =>
  openDatabase({
    driver: cosmosDriver({
      endpoint: account.url,
      databaseName: "probe",
      credential: account.key,
      writeProbe: { everyMs: 50, limitMs: 500 },
    }),
    definitions: testDefinitions,
    keyring: testKeyring(),
    logger: silentLogger,
    observer: {
      statement: () => undefined,
      pool: () => undefined,
      connectionFailed: () => undefined,
      writes: (state) => states.push(state),
    },
    use,
    signal,
  });

before(async () => {
  account = await startTestCosmos();
  database = await open();
});
after(async () => {
  await database[Symbol.asyncDispose]();
  await account[Symbol.asyncDispose]();
});
beforeEach(async () => {
  account.injectFaults(undefined);
  await until(() => database.writes().kind === "accepted");
});

let entries = 0;
const write = () =>
  database.commit(
    "s",
    [create(database.collections.journal, { id: `${entries++}`, partitionKey: "s", operationId: "o" })],
    { signal },
  );
const read = () => database.collections.journal.list({ partitionKey: "s", limit: 10 }, signal);

/** Number of probes that the account has received. */
let probes = 0;

/** Injects a fault into all writes, and counts probes. */
function failWrites(fault: Fault | undefined): void {
  probes = 0;
  account.injectFaults(({ method, path, isBatch, isQuery }) => {
    const isWrite = method === "POST" && path.endsWith("/docs") && !isQuery;
    if (isWrite && !isBatch && path.includes("/control/")) probes++;
    return isWrite ? fault : undefined;
  });
}

test("the first probe is accepted, and a store that only reads has none", async () => {
  assert.deepEqual(await database.firstProbe(), { kind: "accepted" });
  await using reading = await open("reads");
  assert.equal(await reading.firstProbe(), undefined);
});

test("an account that refuses writes blocks them with the reason, reads work, and the next probe accepts writes", async () => {
  states.length = 0;
  failWrites({ kind: "write-forbidden" });
  await until(() => database.writes().kind === "blocked");
  const state = database.writes();
  assert.ok(state.kind === "blocked" && state.cause === "refused", JSON.stringify(state));
  assert.match(state.reason, /refuses writes.*403/);
  await assert.rejects(write(), {
    code: "StoreUnavailable",
    message: /accepts no writes\. Cosmos DB refuses/,
  });
  await read();
  account.injectFaults(undefined);
  await until(() => database.writes().kind === "accepted");
  assert.equal((await write()).kind, "committed");
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ["blocked", "accepted"],
  );
});

test("a write region that stays unavailable blocks writes", async () => {
  failWrites({ kind: "unavailable" });
  await until(() => database.writes().kind === "blocked");
  const state = database.writes();
  assert.ok(state.kind === "blocked" && /503/.test(state.reason), JSON.stringify(state));
  assert.ok(probes >= 2, "one failure is normal");
});

test("writes that do not end are blocked", async () => {
  const held = Promise.withResolvers<void>();
  failWrites({ kind: "held", until: held.promise });
  await until(() => database.writes().kind === "blocked");
  const state = database.writes();
  assert.ok(state.kind === "blocked" && state.cause === "timeout", JSON.stringify(state));
  held.resolve();
});

test("throttled probes and lost connections do not block writes", async () => {
  for (const fault of [
    { kind: "throttled", retryAfterMs: 1 },
    { kind: "cut", when: "before" },
  ] as const) {
    failWrites(fault);
    await until(() => probes >= 4);
    assert.equal(database.writes().kind, "accepted", fault.kind);
  }
});
