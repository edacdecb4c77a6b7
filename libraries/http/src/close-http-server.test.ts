import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { closeHttpServer } from "./close-http-server.ts";

const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const longMs = 900_000;

async function start(listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: longMs }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const open = async (bytes: string): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    const accepted = once(server, "connection");
    await Promise.all([once(socket, "connect"), accepted]);
    socket.on("error", () => undefined).write(bytes);
    return socket;
  };
  return { server, open };
}

test("a closed server ends idle connections, and each other one after its response", async () => {
  const responses: ServerResponse[] = [];
  const { server, open } = await start((_, response) => responses.push(response));
  const idle = await open(request);
  await once(server, "request");
  responses.pop()?.end("first");
  await once(idle, "data");
  const busy = await open(request);
  await once(server, "request");
  const closed = closeHttpServer(server, longMs);
  await text(idle);
  responses.pop()?.end("second");
  assert.match(await text(busy), /second$/);
  await closed;
});

test("a request that is complete only after the close is served, and its response closes the connection", async () => {
  const { server, open } = await start((_, response) => response.end("served"));
  const late = await open(request.slice(0, 20));
  const other = await open(request);
  await once(other, "data");
  const closed = closeHttpServer(server, longMs);
  late.write(request.slice(20));
  assert.match(await text(late), /connection: close[\s\S]*served$/i);
  await closed;
});

test("a connection without a response ends with the limit, and a closed server stays closed", async () => {
  const { server, open } = await start(() => undefined);
  const silent = await open(request);
  await once(server, "request");
  await Promise.all([closeHttpServer(server, 20), text(silent).catch(() => undefined)]);
  await closeHttpServer(server, 20);
});
