import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { request } from "undici";
import { endInSlices } from "./end-in-slices.ts";

const megabyte = 1_048_576;

describe("a long answer", () => {
  const bytes = Buffer.alloc(20 * megabyte, "abcdefg");

  test("is held for its client in small parts, and comes whole", async () => {
    const responses: ServerResponse[] = [];
    await using server = createServer((_request, response) => {
      responses.push(response);
      void endInSlices(response, bytes);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://127.0.0.1:${port}`);
    const [response] = responses;
    assert.ok(response);
    assert.ok(response.writableLength < megabyte / 2, `${response.writableLength} bytes are held`);
    assert.ok(Buffer.from(await body.arrayBuffer()).equals(bytes));
  });

  test("ends with its client", async () => {
    const began = Promise.withResolvers<{ readonly ended: Promise<void> }>();
    await using server = createServer((_request, response) => {
      began.resolve({ ended: endInSlices(response, bytes) });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://127.0.0.1:${port}`);
    body.on("error", () => undefined).destroy();
    await (await began.promise).ended;
  });
});

/** A client with one connection: a long answer, and at once a long request. Says when that is on its way. */
const client = `
const { workerData: { port, sent }, parentPort } = require("node:worker_threads");
const { Agent, request } = require("node:https");
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
const options = { port, host: "127.0.0.1", agent };
request(options, (answer) => {
  answer.resume().once("end", () => setImmediate(() => {
    const next = request({ ...options, method: "POST" }, ({ statusCode }) => {
      parentPort.postMessage(statusCode);
      agent.destroy();
    });
    next.end(Buffer.alloc(300_000), () => setTimeout(() => Atomics.store(sent, 0, 1) + Atomics.notify(sent, 0), 50));
  }));
}).end();
`;

test("a long request that comes before the server saw the end of its long answer is read", async () => {
  const pair = await issueCertificate(await createCertificateAuthority("test", 1), {
    commonName: "localhost",
    usage: "server",
    validDays: 1,
  });
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const options = { cert: pair.certificatePem, key: pair.privateKeyPem };
  await using server = createSecureServer(options, async (request, response) => {
    await request.resume().toArray();
    if (request.method === "POST") {
      response.end();
      return;
    }
    // As after a turn: what is written now is seen as written one round of the event loop later.
    await setImmediate();
    await endInSlices(response, Buffer.alloc(300_000));
    Atomics.wait(sent, 0, 0, 5_000);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const worker = new Worker(client, { eval: true, workerData: { port, sent } });
  const [status] = await once(worker, "message");
  assert.equal(status, 200);
});
