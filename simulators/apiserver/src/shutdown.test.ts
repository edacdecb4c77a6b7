import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { connect } from "node:tls";
import { assertKeepAlive } from "@keelson/http/testing";
import { TestServer } from "./testing/test-server.ts";

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await using server = await TestServer.start();
  await assertKeepAlive(`${server.cluster.url}/healthz`);
});

test("a request that arrives during a stop gets 503 with Retry-After, and its connection is closed", async () => {
  await using server = await TestServer.start();
  const { hostname, port, pathname } = new URL(server.cluster.url);
  const socket = connect({ host: hostname, port: Number(port), ca: server.authority.certificatePem });
  await once(socket, "secureConnect");
  socket.write(`GET ${pathname}/api/v1/nodes HTTP/1.1\r\n`);
  const received = text(socket);
  // When the server responds on a second connection, it has also read the first connection's request line.
  assert.equal((await server.call("GET", "/healthz")).status, 200);
  const stopped = server.server[Symbol.asyncDispose]();
  socket.write("Host: a\r\n\r\n");
  assert.match(
    await received,
    /^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*retry-after: 1[\s\S]*the server is shutting down/i,
  );
  await stopped;
});
