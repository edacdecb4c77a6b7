import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createPipelineFromOptions, createPipelineRequest } from "@azure/core-rest-pipeline";
import { httpClient } from "./http-client.ts";

/**
 * Server that closes and then resets the connection of its first request. `state` becomes 1 after the response, and 2 after the
 * reset.
 */
const server = `
  const { createServer } = require("node:net");
  const { parentPort, workerData: state } = require("node:worker_threads");
  const advance = (value) => { Atomics.store(state, 0, value); Atomics.notify(state, 0); };
  let connections = 0;
  const server = createServer((socket) => {
    const isFirst = ++connections === 1;
    socket.on("error", () => undefined).once("data", () => {
      socket.write("HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n");
      if (isFirst) Promise.resolve(Atomics.waitAsync(state, 0, 0).value).then(() => {
        socket.end(() => { socket.resetAndDestroy(); setTimeout(advance, 20, 2); });
      });
    });
  }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

test("a request over an idle connection that the server has closed and reset is sent again", async () => {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(server, { eval: true, workerData: state });
  try {
    const [port] = await once(worker, "message");
    const pipeline = createPipelineFromOptions({ retryOptions: { maxRetries: 1, retryDelayInMs: 1 } });
    const send = () =>
      pipeline.sendRequest(
        httpClient(),
        createPipelineRequest({ url: `http://127.0.0.1:${port}/`, allowInsecureConnection: true }),
      );
    assert.equal((await send()).status, 200);
    // Waits until the HTTP client has returned the connection to its pool.
    await new Promise((resolve) => setTimeout(resolve, 10));
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    // Blocks the event loop until the server has reset the connection. This process then reads the end of the connection only
    // after it has sent the next request.
    Atomics.wait(state, 0, 1);
    assert.equal((await send()).status, 200);
  } finally {
    await worker.terminate();
  }
});
