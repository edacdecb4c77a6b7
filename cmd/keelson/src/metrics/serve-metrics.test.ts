import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Metrics,
  silentLogger,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { assertKeepAlive } from "@keelson/http/testing";
import { type MetricsTls, serveMetrics } from "./serve-metrics.ts";

const authority = await createCertificateAuthority("test", 1);
const certificate = () =>
  issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
const directory = mkdtempSync(join(tmpdir(), "keelson-metrics-"));
after(() => rmSync(directory, { recursive: true }));
const files = { certificateFile: join(directory, "tls.crt"), keyFile: join(directory, "tls.key") };

function write({ certificatePem, privateKeyPem }: KeyPair): void {
  writeFileSync(files.certificateFile, certificatePem);
  writeFileSync(files.keyFile, privateKeyPem);
}

async function serve(limits: Partial<MetricsTls> = {}) {
  const metrics = new Metrics();
  metrics.gauge({ name: "example_info", help: "An example" }).set(1);
  write(await certificate());
  const tls = { ...files, rereadMs: 10, logger: silentLogger, ...limits };
  return serveMetrics({ metrics, host: "localhost", port: 0, tls });
}

/** Returns the protocol and certificate of a handshake with one TLS version. */
async function handshake(port: number, version: SecureVersion) {
  const socket = connect({
    host: "localhost",
    port,
    ca: authority.certificatePem,
    minVersion: version,
    maxVersion: version,
  });
  try {
    await once(socket, "secureConnect");
    return { protocol: socket.getProtocol(), fingerprint: socket.getPeerCertificate().fingerprint256 };
  } finally {
    socket.destroy();
  }
}

test("acceptance 25: GET /metrics over HTTPS is answered 200, other paths 404", async () => {
  await using server = await serve();
  const get = async (path: string) => {
    const outgoing = request(new URL(path, server.url), { ca: authority.certificatePem, agent: false });
    const [response] = await once(outgoing.end(), "response");
    const body = (await response.setEncoding("utf8").toArray()).join("");
    return { status: response.statusCode, body };
  };
  const { status, body } = await get("/metrics");
  assert.equal(status, 200);
  assert.match(body, /^example_info 1$/m);
  assert.equal((await get("/")).status, 404);
});

test("acceptance 25: the least version of TLS is that of the configuration", async () => {
  await using server = await serve();
  assert.equal((await handshake(server.port, "TLSv1.2")).protocol, "TLSv1.2");
  await using modern = await serve({ minVersion: "TLSv1.3" });
  assert.equal((await handshake(modern.port, "TLSv1.3")).protocol, "TLSv1.3");
  await assert.rejects(handshake(modern.port, "TLSv1.2"));
});

test("a certificate that is replaced is used for the next connection", async () => {
  await using server = await serve();
  const before = (await handshake(server.port, "TLSv1.3")).fingerprint;
  write(await certificate());
  await eventually(async () =>
    assert.notEqual((await handshake(server.port, "TLSv1.3")).fingerprint, before),
  );
});

test("without a certificate nothing is served", async () => {
  const missing = join(directory, "absent");
  await assert.rejects(
    serveMetrics({
      metrics: new Metrics(),
      host: "localhost",
      port: 0,
      tls: { ...files, keyFile: missing, logger: silentLogger },
    }),
    /absent/,
  );
});

test("selfSigned: a self-signed certificate is served until the files exist", async () => {
  const coming = { certificateFile: join(directory, "coming.crt"), keyFile: join(directory, "coming.key") };
  const tls = { ...coming, selfSigned: true, rereadMs: 10, logger: silentLogger };
  await using server = await serveMetrics({ metrics: new Metrics(), host: "localhost", port: 0, tls });
  await assert.rejects(handshake(server.port, "TLSv1.3"), /certificate/);
  const { certificatePem, privateKeyPem } = await certificate();
  writeFileSync(coming.certificateFile, certificatePem);
  writeFileSync(coming.keyFile, privateKeyPem);
  await eventually(async () => assert.equal((await handshake(server.port, "TLSv1.3")).protocol, "TLSv1.3"));
});

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await using secure = await serve();
  await assertKeepAlive(secure.url);
  await using plain = await serveMetrics({ metrics: new Metrics(), host: "localhost", port: 0 });
  await assertKeepAlive(plain.url);
});

test("the metrics are compressed for clients that accept gzip", async () => {
  const metrics = new Metrics();
  metrics.gauge({ name: "example_info", help: "An example" }).set(1);
  await using server = await serveMetrics({ metrics, host: "localhost", port: 0 });
  // `fetch` requests gzip and decompresses the response.
  const response = await fetch(server.url);
  assert.equal(response.headers.get("content-encoding"), "gzip");
  assert.match(await response.text(), /^example_info 1$/m);
  const plain = await fetch(server.url, { headers: { "accept-encoding": "identity" } });
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.match(await plain.text(), /^example_info 1$/m);
});
