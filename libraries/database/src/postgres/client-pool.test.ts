import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { silentLogger } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import pg from "pg";
import type { Connection } from "../drivers/driver.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres.ts";
import { postgresDriver } from "./driver.ts";

const signal = AbortSignal.timeout(900_000);
const serverConnections = 5;
const poolConnections = 2;
let server: PostgresServer;
before(async () => {
  server = await startPostgres({ maxConnections: serverConnections });
});
after(() => server[Symbol.asyncDispose]());

interface Observed {
  open: number;
  refused: number;
}

/** Opens a driver and counts its open and refused connections. */
async function open(connectTimeoutMs?: number): Promise<{ connection: Connection; observed: Observed }> {
  const driver = postgresDriver({ url: server.url, maxConnections: poolConnections, connectTimeoutMs });
  const connection = await driver.open({ logger: silentLogger, signal });
  const observed = { open: 0, refused: 0 };
  connection.observe?.({
    statement: () => {},
    pool: (size) => {
      observed.open = size.open;
    },
    connectionFailed: () => observed.refused++,
    writes: () => {},
  });
  return { connection, observed };
}

/** Clients of other programs, which occupy connections of the server. */
class Occupants implements AsyncDisposable {
  readonly #clients: pg.Client[] = [];

  async occupy(count: number): Promise<void> {
    while (this.#clients.length < count) {
      const client = new pg.Client(server.url);
      // The server may still count a connection that was closed before.
      await client.connect().then(
        () => this.#clients.push(client),
        () => undefined,
      );
    }
  }

  async leave(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
  }
}

const sleepQuery = (connection: Connection) =>
  connection.query({ text: "select pg_sleep(0.005)::text as slept" }, [], signal);

const concurrentQueries = (connection: Connection) =>
  Promise.all(Array.from({ length: 20 }, () => sleepQuery(connection)));

test("statements wait for an open connection while the server refuses further connections", async () => {
  await using occupants = new Occupants();
  const { connection, observed } = await open();
  await using _ = connection;
  await occupants.occupy(serverConnections - 1);
  await concurrentQueries(connection);
  assert.ok(observed.refused > 0 && observed.open <= 1, JSON.stringify(observed));
  const [{ refused }, started] = [{ ...observed }, performance.now()];
  for (let burst = 0; burst < 5; burst++) await concurrentQueries(connection);
  const seconds = (performance.now() - started) / 1_000;
  assert.ok(observed.refused - refused <= 1 + 2 * seconds, "at most two attempts per second");
});

test("the pool grows to its maximum again after the server has free connections", async () => {
  await using occupants = new Occupants();
  const { connection, observed } = await open();
  await using _ = connection;
  await occupants.occupy(serverConnections - 1);
  await concurrentQueries(connection);
  assert.equal(observed.open, 1);
  await occupants.leave();
  await until(async () => {
    await concurrentQueries(connection);
    return observed.open === poolConnections;
  });
});

test("a process without a connection waits until the server accepts a new one", async () => {
  await using occupants = new Occupants();
  const { connection, observed } = await open(600_000);
  await using _ = connection;
  await server.terminateConnections(server.url);
  await until(() => observed.open === 0);
  await occupants.occupy(serverConnections);
  observed.refused = 0;
  const waiting = concurrentQueries(connection);
  await until(() => observed.refused > poolConnections);
  const [{ refused }, started] = [{ ...observed }, performance.now()];
  await until(() => observed.refused > refused + 1);
  const seconds = (performance.now() - started) / 1_000;
  assert.ok(observed.refused - refused <= 1 + 2 * seconds, "at most two attempts per second");
  await occupants.leave();
  await waiting;
});

test("a statement fails with the server's reason after the time limit of connections", async () => {
  await using occupants = new Occupants();
  const { connection, observed } = await open(500);
  await using _ = connection;
  await server.terminateConnections(server.url);
  await until(() => observed.open === 0);
  await occupants.occupy(serverConnections);
  await assert.rejects(sleepQuery(connection), {
    code: "StoreUnavailable",
    message: /too many clients already/,
  });
});
