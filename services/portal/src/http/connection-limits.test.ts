import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { issueCertificate, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { startPortal } from "../start-portal.ts";
import { openSessionOn } from "../testing/open-session-on.ts";
import { storeCluster } from "../testing/store-cluster.ts";

test("an endless request body without credentials ends the connection, one with a token does not", async () => {
  const clock = new ManualClock(new Date());
  await using database = await openStore();
  const subject = {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  } as const;
  const tls = await issueCertificate(undefined, subject);
  await using portal = await startPortal({
    database,
    tls,
    host: "127.0.0.1",
    port: 0,
    clock,
    logger: silentLogger,
  });
  const id = await storeCluster(database);
  const session = { username: "ada@example.com", kubeconfig: { elevated: true } };
  const token = await openSessionOn(database, id, { portal: session });

  const [trickled, authenticated] = [await open(portal.port), await open(portal.port)];
  trickled.write("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
  await once(trickled, "data");
  const ask = async (): Promise<string> => {
    const head = `GET ${id}/kubeconfig/proxy/api HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    authenticated.write(head);
    const [data] = await once(authenticated, "data");
    return String(data).split("\r\n")[0] ?? "";
  };
  const first = await ask();
  const closed = once(trickled.resume(), "close");
  await clock.advance(20_000);
  await closed;
  assert.equal(await ask(), first);
});

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
  after(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}
