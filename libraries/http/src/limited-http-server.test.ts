import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerResponse, connect as http2Connect } from "node:http2";
import { after, before, describe, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { issueCertificate, type KeyPair } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { LimitedHttpServer } from "./limited-http-server.ts";

const authenticateMs = 20_000;

describe("unauthenticated connections of an HTTPS server", () => {
  let certificate: KeyPair;
  before(async () => {
    const request = {
      commonName: "localhost",
      dnsNames: ["localhost"],
      usage: "server",
      validDays: 1,
    } as const;
    certificate = await issueCertificate(undefined, request);
  });

  async function started() {
    const clock = new ManualClock();
    const { certificatePem: cert, privateKeyPem: key } = certificate;
    const held: (ServerResponse | Http2ServerResponse)[] = [];
    const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      if (request.headers.authorization) limited.authenticated(request.socket);
      if (request.url === "/held") held.push(response);
      else response.end("answer");
    });
    const limited = new LimitedHttpServer(server, { clock });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const port: number = Object(server.address()).port;
    after(() => server.close());
    return { clock, limited, held, port };
  }

  async function open(port: number, ALPNProtocols = ["http/1.1"]): Promise<TLSSocket> {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols });
    after(() => socket.destroy());
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    return socket;
  }

  test("one without a request is closed, one with an authenticated request stays open", async () => {
    const { clock, limited, port } = await started();
    const [idle, authenticated] = [await open(port), await open(port)];
    authenticated.write("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: y\r\n\r\n");
    await once(authenticated, "data");
    assert.equal(limited.pending, 1);
    const closed = once(idle.resume(), "close");
    await clock.advance(authenticateMs);
    await closed;
    authenticated.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert.match(String(await once(authenticated, "data")), /200/);
  });

  test("a connection with an endless request body is closed", async () => {
    const { clock, port } = await started();
    const socket = await open(port);
    socket.write("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
    await once(socket, "data");
    const closed = once(socket.resume(), "close");
    await clock.advance(authenticateMs);
    await closed;
  });

  test("a request in progress gets its response before its connection is closed", async () => {
    const { clock, held, port } = await started();
    const socket = await open(port);
    socket.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n");
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(authenticateMs);
    assert.equal(socket.destroyed, false);
    const ended = once(socket, "end");
    held[0]?.end("late answer");
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    await ended;
    assert.match(text, /late answer/);
  });

  test("a request that does not end keeps its connection for the same time again only", async () => {
    const { clock, held, port } = await started();
    const socket = await open(port);
    socket.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n");
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = once(socket.resume(), "close");
    await clock.advance(2 * authenticateMs);
    await closed;
  });

  test("an HTTP/2 session without an authenticated request is closed after its streams", async () => {
    const { clock, held, port } = await started();
    const session = http2Connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    after(() => session.destroy());
    session.on("error", () => undefined);
    const request = session.request({ ":path": "/held" });
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = once(session, "close");
    await clock.advance(authenticateMs);
    held[0]?.end("late answer");
    const chunks = await request.setEncoding("utf8").toArray();
    assert.deepEqual(chunks, ["late answer"]);
    await closed;
  });
});
