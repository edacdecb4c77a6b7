import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { defineErrors } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { ServiceDatabase } from "@keelson/model";
import { captureLog } from "./testing/captured-log.ts";
import { clusterAddress, clusterBody } from "./testing/cluster-request.ts";
import { startTestFrontend, type TestFrontend } from "./testing/test-frontend.ts";

const operations = "/providers/Microsoft.RedHatOpenShift/operations";

/**
 * Returns `through`, which wraps a database and blocks the commit of a PUT request until `release` is called. `waiting` resolves
 * when the commit is blocked.
 */
function heldCommit() {
  const waiting = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const through = (database: ServiceDatabase): ServiceDatabase => ({
    ...database,
    async commit(partitionKey, writes, options) {
      if (writes.length > 1) {
        waiting.resolve();
        const aborted = new Promise((_, reject) =>
          options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true }),
        );
        await Promise.race([released, aborted]);
      }
      return database.commit(partitionKey, writes, options);
    },
  });
  return { waiting: waiting.promise, release, through };
}

/** Starts a PUT request for a new cluster. Returns its pending response, which arrives after the commit is released. */
async function putCluster(frontend: TestFrontend) {
  const address = clusterAddress(randomUUID());
  await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
  return { response: frontend.client.put(address.url, clusterBody(address)) };
}

async function isReady(frontend: TestFrontend): Promise<boolean> {
  const { status, error } = await frontend.connect().get("/healthz/ready");
  if (status === 200) return true;
  assert.deepEqual([status, error.code], [500, "InternalServerError"]);
  return false;
}

/** Waits until the port refuses new connections. Connections that were opened earlier may still be served or reset. */
async function refusesConnections(frontend: TestFrontend): Promise<void> {
  const limit = Date.now() + 60_000;
  for (;;) {
    const outcome = await frontend
      .connect()
      .get(operations)
      .catch((error: unknown) => error);
    if (outcome instanceof Error && "code" in outcome && outcome.code === "ECONNREFUSED") return;
    assert.ok(Date.now() < limit, "the port is still open");
  }
}

describe("a stop", () => {
  test("ends readiness immediately, continues serving while load balancers notice, then closes", async () => {
    const clock = new ManualClock();
    await using frontend = await startTestFrontend({ clock, drainMs: 80_000 });
    const session = connectHttp2(frontend.url, {
      ca: frontend.authority.certificatePem,
      servername: "localhost",
    });
    const sessionClosed = new Promise((resolve) => session.once("close", resolve));
    assert.equal((await frontend.client.get(operations)).status, 200);
    assert.equal(await isReady(frontend), true);
    const stopped = frontend.stop();
    assert.equal(await isReady(frontend), false);
    assert.equal((await frontend.client.get(operations)).status, 200);
    assert.equal((await frontend.connect().get(operations)).status, 200);
    await clock.advance(79_999);
    assert.equal((await frontend.connect().get(operations)).status, 200);
    await clock.advance(1);
    await Promise.all([stopped, sessionClosed]);
    await refusesConnections(frontend);
  });

  test("closes connections with their last responses, so that no request arrives on a closing one", async () => {
    const clock = new ManualClock();
    await using frontend = await startTestFrontend({ clock, drainMs: 80_000 });
    const { authority, url } = frontend;
    const { hostname, port } = new URL(url);
    const socket = connectTls({
      host: hostname,
      port: Number(port),
      ca: authority.certificatePem,
      servername: "localhost",
    });
    const session = connectHttp2(url, { ca: authority.certificatePem, servername: "localhost" });
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    const ask = () => socket.write(`GET ${operations} HTTP/1.1\r\nHost: a\r\n\r\n`);
    ask();
    while (!received.includes("\r\n\r\n")) await delay(5);
    assert.doesNotMatch(received, /connection: close/i);
    const stopped = frontend.stop();
    const ended = Promise.all([once(socket, "end"), once(session, "close")]);
    received = "";
    ask();
    const stream = session.request({ ":path": operations });
    const [headers] = await once(stream, "response");
    stream.resume();
    assert.equal(headers[":status"], 200);
    await ended;
    assert.match(received, /^HTTP\/1\.1 200 [\s\S]*connection: close/i);
    assert.equal((await frontend.connect().get(operations)).status, 200, "it continues serving");
    await clock.advance(80_000);
    await stopped;
  });

  test("waits for a request in flight, and its response arrives completely", async () => {
    const { waiting, release, through } = heldCommit();
    await using frontend = await startTestFrontend({ through });
    const { response } = await putCluster(frontend);
    await waiting;
    let stopped = false;
    const stopping = frontend.stop().then(() => {
      stopped = true;
    });
    await refusesConnections(frontend);
    await delay(50);
    assert.equal(stopped, false);
    release();
    const { status, json } = await response;
    assert.deepEqual([status, json.name], [201, "demo"]);
    await stopping;
  });

  test("returns 503 to a request in flight at the time limit, without a write", async () => {
    const { waiting, through } = heldCommit();
    await using frontend = await startTestFrontend({ through, inFlightMs: 50 });
    const { response } = await putCluster(frontend);
    await waiting;
    await frontend.stop();
    const { status, error, headers } = await response;
    assert.deepEqual([status, error.code, headers["retry-after"]], [503, "ServiceUnavailable", "10"]);
    const { items } = await frontend.database.collections.clusters.list(
      { limit: 1 },
      new AbortController().signal,
    );
    assert.equal(items.length, 0);
  });
});

/**
 * Returns `through`, which wraps a database and blocks the search for actions of dead processes. `release` unblocks the search.
 */
function heldTakeOver() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const through = (database: ServiceDatabase): ServiceDatabase => {
    const { adminActions } = database.collections;
    const acquire: typeof adminActions.acquire = async (options) => {
      await released;
      return adminActions.acquire(options);
    };
    return {
      ...database,
      collections: { ...database.collections, adminActions: { ...adminActions, acquire } },
    };
  };
  return { release, through };
}

test("a request without its whole body that arrives during a stop gets 503, and no error of the client", async () => {
  const { release, through } = heldTakeOver();
  await using frontend = await startTestFrontend({ through, inFlightMs: 500 });
  const { hostname, port } = new URL(frontend.url);
  const ca = frontend.authority.certificatePem;
  const socket = connectTls({ host: hostname, port: Number(port), ca, servername: "localhost" });
  const received = text(socket);
  await once(socket, "secureConnect");
  socket.write(`PUT /subscriptions/${randomUUID()}?api-version=2.0 HTTP/1.1\r\n`);
  // When the response on a second connection arrives, the server has already read the request line on the first connection.
  assert.equal((await frontend.connect().get(operations)).status, 200);
  const stopped = frontend.stop();
  await refusesConnections(frontend);
  socket.write("Host: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
  await delay(100);
  release();
  await stopped;
  assert.match(await received, /^HTTP\/1\.1 503 [\s\S]*retry-after: 10[\s\S]*"code": "ServiceUnavailable"/i);
});

test("a request on a connection that completes its TLS handshake after a stop gets 503", async () => {
  await using frontend = await startTestFrontend();
  const { hostname, port } = new URL(frontend.url);
  const tcp = connectTcp(Number(port), hostname);
  await once(tcp, "connect");
  // When the response on a second connection arrives, the server has already accepted the first connection.
  assert.equal((await frontend.connect().get(operations)).status, 200);
  const stopped = frontend.stop();
  await refusesConnections(frontend);
  const socket = connectTls({ socket: tcp, ca: frontend.authority.certificatePem, servername: "localhost" });
  const received = text(socket);
  const head = "Host: a\r\nContent-Type: application/json\r\nContent-Length: 2";
  socket.write(`PUT /subscriptions/${randomUUID()}?api-version=2.0 HTTP/1.1\r\n${head}\r\n\r\n{}`);
  assert.match(await received, /^HTTP\/1\.1 503 [\s\S]*retry-after: 10/i);
  await stopped;
});

describe("readiness", () => {
  test("waits for the database, for its change feed and for the authorizer", async () => {
    const clock = new ManualClock();
    const state = { databaseResponses: true, feedWorks: false, authorizerReady: true };
    await using frontend = await startTestFrontend({
      clock,
      authorizer: async () => ({ authorize: () => true, ready: () => state.authorizerReady }),
      through: (database) => ({
        ...database,
        ping: async (signal) => {
          if (!state.databaseResponses) throw new Error("no answer");
          return database.ping(signal);
        },
        changes: (signal) => {
          if (!state.feedWorks) throw new Error("no feed");
          return database.changes(signal);
        },
      }),
    });
    assert.equal(await isReady(frontend), false);
    assert.equal((await frontend.client.get(operations)).status, 200);
    state.feedWorks = true;
    await clock.advance(1_000);
    const limit = Date.now() + 60_000;
    while (!(await isReady(frontend))) assert.ok(Date.now() < limit, "never ready");
    state.databaseResponses = false;
    assert.equal(await isReady(frontend), true, "requests of one second share one ping of the database");
    await clock.advance(1_000);
    assert.equal(await isReady(frontend), false);
    state.databaseResponses = true;
    await clock.advance(1_000);
    state.authorizerReady = false;
    assert.equal(await isReady(frontend), false);
    state.authorizerReady = true;
    assert.equal(await isReady(frontend), true);
  });
});

test("a failing database is an internal error for the caller, with the cause only in the log", async () => {
  const log = captureLog();
  await using frontend = await startTestFrontend({
    logger: log.logger,
    through: (database) => ({
      ...database,
      commit: async () => {
        throw new Error("connection string of the database");
      },
    }),
  });
  const { status, json } = await frontend.client.put(`/subscriptions/${randomUUID()}`, {
    state: "Registered",
  });
  assert.deepEqual(
    [status, json],
    [500, { error: { code: "InternalServerError", message: "Internal server error." } }],
  );
  assert.match(log.text(), /connection string of the database/);
});

test("an unavailable database is reported as temporary", async () => {
  const log = captureLog();
  const { StoreUnavailable } = defineErrors({ StoreUnavailable: { retry: "backoff" } });
  await using frontend = await startTestFrontend({
    logger: log.logger,
    through: (database) => ({
      ...database,
      commit: async () => {
        throw StoreUnavailable("No space left on device");
      },
    }),
  });
  const { status, error, headers } = await frontend.client.put(`/subscriptions/${randomUUID()}`, {
    state: "Registered",
  });
  assert.deepEqual([status, error.code], [503, "ServiceUnavailable"]);
  assert.ok(Number(headers["retry-after"]) > 0);
  assert.doesNotMatch(String(error.message), /device/);
  assert.match(log.text(), /No space left on device/);
});

test("an address in use is named in the error", async () => {
  await using frontend = await startTestFrontend();
  await assert.rejects(startTestFrontend({ port: Number(new URL(frontend.url).port) }), {
    code: "EADDRINUSE",
  });
});
