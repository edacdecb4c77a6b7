import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { type Clock, systemClock } from "@keelson/base";
import { extendReceiveLimits } from "./receive-limits.ts";

function lateClock() {
  const times = { nowMs: 0, lateMs: 0 };
  const clock: Clock = {
    now: () => new Date(times.nowMs),
    monotonicMs: () => times.nowMs,
    lateMs: () => times.lateMs,
    sleep: () => Promise.reject(new Error("unused")),
  };
  return { clock, times };
}

test("limits grow by the lateness of the loop, at most tenfold, and shrink again", () => {
  const { clock, times } = lateClock();
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 });
  extendReceiveLimits(server, clock);
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 60_000]);
  times.nowMs += 30_000;
  times.lateMs += 25_000;
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [35_000, 85_000]);
  times.nowMs += 300_000;
  times.lateMs += 300_000;
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [100_000, 385_000]);
  for (let second = 0; second < 700; second++) {
    times.nowMs += 1_000;
    void [server.headersTimeout, server.requestTimeout];
  }
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 60_000]);
  server.headersTimeout = 0;
  assert.equal(server.headersTimeout, 0);
});

test("a request that arrives while the event loop stalls gets a response", { timeout: 60_000 }, async () => {
  const limits = { headersTimeout: 400, requestTimeout: 400, connectionsCheckingInterval: 50 };
  const server = createServer(limits, (_request, response) => response.end("answer"));
  let lateMs = 0;
  extendReceiveLimits(server, { ...systemClock, lateMs: () => lateMs });
  await once(server.listen(0, "127.0.0.1"), "listening");
  after(() => server.close());
  // Continues in a `setImmediate` callback. Due timers then run before the event loop reads sockets.
  const begun = new Promise<void>((resolve) =>
    server.once("connection", () => setTimeout(() => setImmediate(resolve), 70)),
  );
  const client = new Worker(
    `const { connect } = require("node:net");
    const { parentPort, workerData } = require("node:worker_threads");
    const socket = connect(workerData, "127.0.0.1", () => socket.write("GET / HTTP/1.1\\r\\nhost: a\\r\\n"));
    setTimeout(() => socket.write("connection: close\\r\\n\\r\\n"), 300);
    let text = "";
    socket.on("data", (data) => (text += data)).on("end", () => parentPort.postMessage(text));`,
    { eval: true, workerData: Object(server.address()).port },
  );
  const answer = once(client, "message");
  await begun;
  const endMs = performance.now() + 1_500;
  while (performance.now() < endMs) {
    // Blocks the event loop, so that it cannot read the socket.
  }
  // Reports a longer delay than the blocking loop above, because other programs on this machine may add delays.
  lateMs = 3_500;
  assert.match(String(await answer), /^HTTP\/1.1 200 OK/);
});
