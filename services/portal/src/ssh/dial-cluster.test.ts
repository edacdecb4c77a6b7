import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTcpServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { after, before, test } from "node:test";
import { clusterDialer } from "./dial-cluster.ts";

const signal = AbortSignal.timeout(900_000);
let response = (socket: Duplex, _target: string): void => void socket.end();
const proxy = createServer().on("connect", (request, socket: Duplex) => {
  socket.on("error", () => undefined);
  response(socket, request.url ?? "");
});

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return address.port;
}

let url: string;
before(async () => {
  url = `http://127.0.0.1:${await listen(proxy)}`;
});
after(() => {
  proxy.close();
  proxy.closeAllConnections();
});

test("the proxy receives the address, and bytes after its response belong to the connection", async () => {
  let asked = "";
  response = (socket, target) => {
    asked = target;
    socket.write("HTTP/1.1 200 OK\r\nx: y\r\n\r\nhello");
  };
  const socket = await clusterDialer({ url })("10.1.2.3", 2_201, signal);
  assert.equal(asked, "10.1.2.3:2201");
  const [first] = await once(socket, "data");
  assert.equal(String(first), "hello");
  socket.destroy();
});

test("a proxy that refuses, disconnects or sends an endless header is an error", async () => {
  for (const [text, message] of [
    ["HTTP/1.1 403 Forbidden\r\n\r\n", /returned status 403/],
    ["", /closed the connection/],
    [`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(3_000)}`, /too long a head/],
  ] as const) {
    response = (socket) => void socket.end(text);
    await assert.rejects(clusterDialer({ url })("10.1.2.3", 2_201, signal), message);
  }
});

test("without a proxy the address itself is connected to, and abort ends the attempt", async () => {
  const server = createTcpServer((socket) => socket.end("direct"));
  const port = await listen(server);
  const socket = await clusterDialer()("127.0.0.1", port, signal);
  assert.equal(Buffer.concat(await socket.toArray()).toString(), "direct");
  await assert.rejects(clusterDialer()("127.0.0.1", port, AbortSignal.abort()));
  server.close();
});
