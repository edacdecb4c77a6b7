import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { RpConnection } from "./rp-connection.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-rp-connection-"));
after(() => rmSync(directory, { recursive: true }));
const { signal } = new AbortController();

const nameOfClient: RequestListener = (request, response) =>
  response.end(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN));

/** Starts a server. By default, it returns the name in the client certificate. */
async function startServer(
  listener = nameOfClient,
): Promise<{ readonly server: Server; readonly rp: string }> {
  const authority = await createCertificateAuthority("authority", 1);
  const pair = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const arm = await issueCertificate(authority, {
    commonName: "arm.keelson.localhost",
    usage: "client",
    validDays: 1,
  });
  writeFileSync(join(directory, "ca.pem"), authority.certificatePem);
  writeFileSync(join(directory, "arm.pem"), arm.certificatePem);
  writeFileSync(join(directory, "arm-key.pem"), arm.privateKeyPem);
  const tls = { cert: pair.certificatePem, key: pair.privateKeyPem, ca: authority.certificatePem };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, rp: `https://localhost:${(server.address() as AddressInfo).port}` };
}

test("requests have the certificate of the simulated Azure Resource Manager", async () => {
  const { server, rp } = await startServer();
  after(() => server.close());
  const caFile = join(directory, "ca.pem");
  {
    await using connection = new RpConnection({ rp, caFile }, 0);
    assert.equal((await connection.call("GET", "/", undefined, signal)).body, "arm.keelson.localhost");
  }
  rmSync(join(directory, "arm.pem"));
  await using connection = new RpConnection({ rp, caFile }, 0);
  assert.equal((await connection.call("GET", "/", undefined, signal)).body, "undefined");
});

test("GET requests are retried after temporary failures, other requests are not", async () => {
  const statuses = [503, 429, 200, 503];
  const { server, rp } = await startServer((_, response) => {
    response.writeHead(statuses.shift() ?? 500, { "retry-after": "0" }).end();
  });
  after(() => server.close());
  await using connection = new RpConnection({ rp, caFile: join(directory, "ca.pem") }, 60_000);
  assert.equal((await connection.call("GET", "/", undefined, signal)).status, 200);
  assert.equal((await connection.call("PUT", "/", {}, signal)).status, 503);
});

test("a temporary failure that does not end in time is the result", async () => {
  const { server, rp } = await startServer((_, response) => {
    response.writeHead(503).end("try later");
  });
  after(() => server.close());
  await using connection = new RpConnection({ rp, caFile: join(directory, "ca.pem") }, 0);
  const response = await connection.call("GET", "/", undefined, signal);
  assert.deepEqual([response.status, response.body], [503, "try later"]);
});
