import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectTcp, createServer, type Server } from "node:net";
import { after, before, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { createCertificateAuthority, issueCertificate, type KeyPair, silentLogger } from "@keelson/base";
import { type DevelopmentProxy, startDevelopmentProxy } from "./development-proxy.ts";

let server: KeyPair;
let client: KeyPair;
let target: Server;
let port: number;
let proxy: DevelopmentProxy;

before(async () => {
  server = await issueCertificate(undefined, {
    commonName: "proxy",
    dnsNames: ["proxy"],
    usage: "server",
    validDays: 1,
  });
  client = await issueCertificate(undefined, { commonName: "proxy-client", usage: "client", validDays: 1 });
  target = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(target, "listening");
  port = Object(target.address()).port;
  proxy = await startDevelopmentProxy({
    host: "127.0.0.1",
    port: 0,
    healthPort: 0,
    server,
    clientCertificatePem: client.certificatePem,
    subnet: "127.0.0.0/8",
    ports: [{ first: port, last: port }],
    logger: silentLogger,
  });
});
after(async () => {
  target.close();
  await proxy[Symbol.asyncDispose]();
});

async function as(pair: KeyPair | undefined): Promise<TLSSocket> {
  const socket = connect({
    port: proxy.port,
    host: "127.0.0.1",
    servername: "proxy",
    ca: server.certificatePem,
    ...(pair ? { cert: pair.certificatePem, key: pair.privateKeyPem } : {}),
  });
  await once(socket, "secureConnect");
  return socket;
}

/** Sends a request and returns its response. @throws if the proxy closes the connection without a response */
async function answer(socket: TLSSocket, request: string): Promise<string> {
  socket.write(request);
  const closed = once(socket, "close").then(() => assert.fail("the connection was closed"));
  const [data] = await Promise.race([once(socket, "data"), closed]);
  return data.toString();
}

const connectTo = (place: string) => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;

test("its client reaches an address of the subnet, and bytes go both ways", async () => {
  const socket = await as(client);
  assert.match(await answer(socket, connectTo(`127.0.0.1:${port}`)), /^HTTP\/1\.1 200 /);
  assert.equal(await answer(socket, "hello"), "hello");
  socket.destroy();
});

const refusals: readonly (readonly [request: () => string, expected: RegExp])[] = [
  [() => connectTo("8.8.8.8:443"), /^HTTP\/1\.1 403 [\s\S]*not in 127\.0\.0\.0\/8/],
  [() => connectTo(`localhost:${port}`), /^HTTP\/1\.1 403 [\s\S]*no IP address/],
  [() => connectTo(`127.0.0.1:${port - 1}`), /^HTTP\/1\.1 403 [\s\S]*port/],
  [() => connectTo("127.0.0.1"), /^HTTP\/1\.1 400 /],
  [() => connectTo(`[::1]:${port}`), /^HTTP\/1\.1 403 /],
  [() => "GET / HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 405 /],
];
test("invalid requests are rejected with the reason", async (t) => {
  for (const [request, expected] of refusals)
    await t.test(request().split("\r\n")[0] ?? "", async () => {
      const socket = await as(client);
      assert.match(await answer(socket, request()), expected);
      socket.destroy();
    });
});

test("connections without the client's certificate are rejected, also with one that it has issued", async () => {
  const stranger = await createCertificateAuthority("proxy-client", 1);
  const issued = await issueCertificate(client, { commonName: "friend", usage: "client", validDays: 1 });
  for (const pair of [undefined, stranger, issued]) {
    const outcome = as(pair).then((socket) => answer(socket, connectTo(`127.0.0.1:${port}`)));
    await assert.rejects(outcome);
  }
});

test("its health is public", async () => {
  const response = await fetch(`http://127.0.0.1:${proxy.healthPort}/anything`);
  assert.deepEqual([response.status, await response.text()], [200, "Running."]);
});

test("an invalid subnet is rejected at the start", async () => {
  const options = {
    host: "127.0.0.1",
    port: 0,
    healthPort: 0,
    server,
    clientCertificatePem: client.certificatePem,
  };
  await assert.rejects(
    startDevelopmentProxy({ ...options, subnet: "10.0.0.0/33", ports: [], logger: silentLogger }),
    /subnet must be a CIDR/,
  );
  connectTcp({ port: proxy.port, host: "127.0.0.1" }).destroy();
});
