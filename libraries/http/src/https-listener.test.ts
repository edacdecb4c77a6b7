import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { before, describe, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { issueCertificate, type KeyPair, systemClock } from "@keelson/base";
import { HttpsListener, type ListenerResponse } from "./https-listener.ts";
import { assertKeepAlive } from "./testing/keep-alive.ts";

describe("HttpsListener", () => {
  let tls: KeyPair;
  before(async () => {
    tls = await issueCertificate(undefined, { commonName: "localhost", usage: "server", validDays: 1 });
  });

  async function listen(handle: (response: ListenerResponse) => void): Promise<HttpsListener> {
    const options = { tls, limits: { clock: systemClock }, headersMs: 10_000, requestMs: 10_000 };
    const listener = new HttpsListener(options, (_, response) => handle(response));
    await listener.listen("127.0.0.1", 0);
    return listener;
  }

  async function openHttp1({ port }: HttpsListener) {
    const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    return { socket, ask: () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n") };
  }

  test("announces the keep-alive timeout of all listeners", async () => {
    await using listener = await listen((response) => void response.end());
    await assertKeepAlive(`https://127.0.0.1:${listener.port}/`);
  });

  test("closes HTTP/1.1 connections after the response that is in flight when it leaves them", async () => {
    const responses: ListenerResponse[] = [];
    await using listener = await listen((response) => void responses.push(response));
    const { socket, ask } = await openHttp1(listener);
    ask();
    while (responses.length === 0) await once(listener.server, "request");
    listener.leaveConnections();
    responses[0]?.end("done");
    const received = (await socket.setEncoding("utf8").toArray()).join("");
    assert.match(received, /^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*done$/i);
  });

  for (const version of ["0.9", "1.0", "2.0"])
    test(`serves other requests after a request line with version ${version} on an HTTP/1.1 connection`, async () => {
      await using listener = await listen((response) => void response.end("done"));
      const first = await openHttp1(listener);
      first.socket.end(`GET / HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await first.socket.toArray();
      const { socket, ask } = await openHttp1(listener);
      ask();
      socket.end();
      assert.match((await socket.setEncoding("utf8").toArray()).join(""), /^HTTP\/1\.1 200 /);
      assert.equal(await listener.inFlight.idle(AbortSignal.timeout(240_000)), true);
    });

  test("closes HTTP/2 sessions after the next response", async () => {
    await using listener = await listen((response) => void response.end());
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { rejectUnauthorized: false });
    await once(session, "connect");
    listener.leaveConnections();
    const closed = once(session, "close");
    const [headers] = await once(session.request().resume(), "response");
    assert.equal(headers[":status"], 200);
    await closed;
  });

  test("is disposed of while a client has not begun its handshake", async () => {
    const listener = await listen((response) => void response.end());
    const socket = connectTcp({ port: listener.port, host: "127.0.0.1" });
    await once(listener.server, "connection");
    const closed = once(socket.resume(), "close");
    await listener[Symbol.asyncDispose]();
    await closed;
  });

  test("drains until its responses are complete, or until the signal aborts", async () => {
    const responses: ListenerResponse[] = [];
    await using listener = await listen((response) => void responses.push(response));
    const { socket, ask } = await openHttp1(listener);
    ask();
    while (responses.length === 0) await once(listener.server, "request");
    assert.equal(await listener.drain(AbortSignal.abort()), false);
    const drained = listener.drain(new AbortController().signal);
    responses[0]?.end("done");
    assert.equal(await drained, true);
    socket.destroy();
  });
});
