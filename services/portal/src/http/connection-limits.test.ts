import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { after, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { issueCertificate, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import { startPortal } from "../start-portal.ts";

const id =
  "/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/c";

test("a request body without an end and without credentials does not keep its connection, a token does", async () => {
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
  const token = randomUUID();
  const hash = createHash("sha256").update(token).digest("hex");
  const session = { username: "ada@example.com", id, kubeconfig: { elevated: true } };
  const document = { id: hash, partitionKey: hash, ttlSeconds: 21_600, portal: session };
  const signal = AbortSignal.timeout(900_000);
  await database.commit(hash, [create(database.collections.portalSessions, document)], { signal });

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
