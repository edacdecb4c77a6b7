import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { ManualClock } from "@keelson/base/testing";
import { startTestFrontend } from "../testing/test-frontend.ts";

test("a connection without an authenticated request is closed after 20 seconds, an authenticated one stays open", async () => {
  const clock = new ManualClock(new Date());
  await using frontend = await startTestFrontend({ clock });
  const port = Number(new URL(frontend.url).port);
  const [silent, probing, authenticated] = [await open(port), await open(port), await open(port)];
  const ask = async (socket: TLSSocket, path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [data] = await once(socket, "data");
    return String(data).split("\r\n")[0] ?? "";
  };
  assert.match(await ask(probing, "/healthz/ready"), /^HTTP\/1\.1 /);
  assert.match(await ask(authenticated, "/unknown"), / 404 /);
  const closed = Promise.all([once(silent.resume(), "close"), once(probing.resume(), "close")]);
  await clock.advance(20_000);
  await closed;
  assert.match(await ask(authenticated, "/unknown"), / 404 /);
});

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
  after(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}
