import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { before, test } from "node:test";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { connect } from "node:tls";
import { Worker } from "node:worker_threads";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { bufferPipelinedRequests } from "./pipelined-requests.ts";

let pair: KeyPair;
before(async () => {
  pair = await issueCertificate(await createCertificateAuthority("test", 1), {
    commonName: "localhost",
    usage: "server",
    validDays: 1,
  });
});

async function listening(answer: RequestListener): Promise<Server> {
  const server = createServer({ cert: pair.certificatePem, key: pair.privateKeyPem }, answer);
  bufferPipelinedRequests(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("long requests after unread responses get their responses in order", async () => {
  const lengths: number[] = [];
  await using server = await listening(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (request.method === "POST") lengths.push(body.length);
    response.end(request.method === "GET" ? Buffer.alloc(2_000_000, "x") : "read");
  });
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3));
  await delay(100);
  const body = "y".repeat(900_000);
  const post = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  socket.write(`${post(body.length)}${body}${post(5)}hello`);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await delay(100);
  const responses = Buffer.concat(await socket.toArray()).toString("latin1");
  assert.deepEqual(responses.match(/HTTP\/1\.1 \d+/g), Array(6).fill("HTTP/1.1 200"));
  assert.deepEqual(lengths, [900_000, 5]);
});

test("a connection with more unanswered requests than a client sends ends, and few of them are begun", async () => {
  let begun = 0;
  await using server = await listening((request, response) => {
    if (request.socket.destroyed) return;
    begun++;
    setTimeout(() => response.end("x"), 50);
  });
  const { port } = server.address() as AddressInfo;
  const call = async (count: number) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(count - 1));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let responses = "";
    socket.on("data", (chunk) => {
      responses += String(chunk);
    });
    await once(socket, "close");
    return responses.match(/HTTP\/1\.1 200/g)?.length ?? 0;
  };
  assert.equal(await call(32), 32);
  begun = 0;
  assert.equal(await call(1_000), 0);
  assert.equal(begun, 32);
});

/**
 * Client with one connection. It sends a request with a long response, immediately afterwards a second request with a body of
 * `length` bytes, and then a third request. It reports when the second request is in flight, and the status of the third response.
 */
const client = `
const { workerData: { port, sent, length }, parentPort } = require("node:worker_threads");
const { Agent, request } = require("node:https");
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
const options = { port, host: "127.0.0.1", agent };
request(options, (answer) => {
  answer.resume().once("end", () => setImmediate(() => {
    const next = request({ ...options, method: "POST" }, (second) => {
      second.resume().once("end", () => setImmediate(() => {
        request({ ...options, method: "POST" }, ({ statusCode }) => {
          parentPort.postMessage(statusCode);
          agent.destroy();
        }).end();
      }));
    });
    next.end(Buffer.alloc(length), () => setTimeout(() => Atomics.store(sent, 0, 1) + Atomics.notify(sent, 0), 50));
  }));
}).end();
`;

for (const length of [0, 300_000])
  test(`a request of ${length} bytes that arrives before the end of a long response is read, and also the next request`, async () => {
    const sent = new Int32Array(new SharedArrayBuffer(4));
    await using server = await listening(async (request, response) => {
      await request.resume().toArray();
      if (request.method === "POST") {
        response.end();
        return;
      }
      // Waits one event loop iteration, because the server detects the response one iteration later.
      await setImmediate();
      response.end(Buffer.alloc(300_000));
      Atomics.wait(sent, 0, 0, 5_000);
    });
    const { port } = server.address() as AddressInfo;
    const worker = new Worker(client, { eval: true, workerData: { port, sent, length } });
    const [status] = await once(worker, "message");
    assert.equal(status, 200);
  });
