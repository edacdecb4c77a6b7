import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { connect as tlsConnect } from "node:tls";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { clientHelloFor } from "@keelson/http/testing";
import type { ApiServer } from "../api-server.ts";
import { startApiServer } from "../start-api-server.ts";
import { serverNameOf } from "./server-name-router.ts";

let authority: KeyPair;
let first: ApiServer;
let second: ApiServer;
const asked: string[] = [];

function certificate(name: string): Promise<KeyPair> {
  return issueCertificate(authority, { commonName: name, dnsNames: [name], usage: "server", validDays: 1 });
}

before(async () => {
  authority = await createCertificateAuthority("names", 1);
  const options = {
    host: "127.0.0.1",
    port: 0,
    tls: await certificate("localhost"),
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  } as const;
  second = await startApiServer(options);
  first = await startApiServer({
    ...options,
    async findServer(name) {
      asked.push(name);
      if (name === "api.broken.example") throw new Error("unavailable");
      return second.serves(name) ? second.port : undefined;
    },
  });
  for (const [server, name] of [
    [first, "one"],
    [second, "two"],
  ] as const) {
    const cluster = await server.createCluster({ name, clientCertificateAuthorities: [] });
    const host = `api.${name}.example`;
    const pair = await certificate(host);
    cluster.setServingCertificates("installer", [{ names: [host], certificate: async () => pair }]);
  }
});
after(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});

/** Sends a request to the first server with a server name. Returns the status and the name in the server's certificate. */
async function visit(servername: string, path: string) {
  const outgoing = request({
    host: "127.0.0.1",
    port: first.port,
    path,
    servername,
    ca: authority.certificatePem,
    agent: false,
  });
  outgoing.end();
  const [response] = await once(outgoing, "response");
  const { subject } = response.socket.getPeerCertificate();
  response.resume();
  return [response.statusCode, subject.CN];
}

test("connections reach the server of their host name, with the certificate of this server", async () => {
  assert.deepEqual(await visit("api.one.example", "/readyz"), [200, "api.one.example"]);
  assert.deepEqual(await visit("api.two.example", "/readyz"), [200, "api.two.example"]);
  assert.deepEqual(await visit("localhost", "/clusters/one/readyz"), [200, "localhost"]);
  assert.deepEqual(await visit("localhost", "/clusters/two/readyz"), [404, "localhost"]);
  assert.deepEqual(asked, ["api.two.example", "localhost", "localhost"]);
});

test("a name whose server cannot be found closes only its connection", async () => {
  await assert.rejects(visit("api.broken.example", "/readyz"));
  assert.deepEqual(await visit("api.one.example", "/readyz"), [200, "api.one.example"]);
});

test("a client that does not speak TLS, or disconnects early, does not disturb others", async () => {
  const plain = connect(first.port, "127.0.0.1");
  plain.on("error", () => undefined).write("GET / HTTP/1.1\r\n\r\n");
  await once(plain, "close");
  const early = connect(first.port, "127.0.0.1");
  await once(early, "connect");
  early.end(Buffer.from([22, 3, 1]));
  await once(early.resume(), "close");
  assert.deepEqual(await visit("api.one.example", "/readyz"), [200, "api.one.example"]);
});

test("the server name is read from the ClientHello, and truncated or changed bytes contain none", async () => {
  const hello = await clientHelloFor("api.two.example");
  assert.equal(serverNameOf(hello), "api.two.example");
  assert.equal(serverNameOf(await clientHelloFor(undefined)), undefined);
  assert.equal(serverNameOf(Buffer.from("GET / HTTP/1.1")), undefined);
  for (let length = 0; length < hello.length; length++) {
    const name = serverNameOf(hello.subarray(0, length));
    assert.ok(name === undefined || "api.two.example".startsWith(name), `${length} bytes`);
  }
  for (let at = 0; at < hello.length; at++) {
    const changed = Buffer.from(hello);
    changed[at] = 255;
    serverNameOf(changed);
  }
});

test("a closing server closes forwarded connections", async () => {
  const server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls: await certificate("localhost"),
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
    findServer: async () => second.port,
  });
  const client = tlsConnect({
    host: "127.0.0.1",
    port: server.port,
    servername: "api.two.example",
    ca: authority.certificatePem,
  });
  client.on("error", () => undefined);
  await once(client, "secureConnect");
  await Promise.all([once(client.resume(), "close"), server[Symbol.asyncDispose]()]);
});
