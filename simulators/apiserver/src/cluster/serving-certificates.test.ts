import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { request } from "node:https";
import process from "node:process";
import { after, before, test } from "node:test";
import type { TLSSocket } from "node:tls";
import {
  createCertificateAuthority,
  isCoded,
  issueCertificate,
  type KeyPair,
  silentLogger,
  systemClock,
} from "@keelson/base";
import type { ApiServer } from "../api-server.ts";
import { startApiServer } from "../start-api-server.ts";

let server: ApiServer;
let authority: KeyPair;

before(async () => {
  authority = await createCertificateAuthority("serving", 1);
  server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls: await certificate("localhost"),
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  });
});
after(() => server[Symbol.asyncDispose]());

function certificate(...names: readonly string[]): Promise<KeyPair> {
  const [commonName = ""] = names;
  return issueCertificate(authority, { commonName, dnsNames: names, usage: "server", validDays: 1 });
}

async function clusterAt(name: string, ...names: readonly string[]) {
  const signer = await createCertificateAuthority(`${name}-signer`, 1);
  const cluster = await server.createCluster({
    name,
    clientCertificateAuthorities: [signer.certificatePem],
  });
  const pair = await certificate(...names);
  cluster.setServingCertificates("installer", [{ names, certificate: async () => pair }]);
  return { cluster, signer };
}

interface Visit {
  readonly path?: string;
  readonly client?: KeyPair;
}

/**
 * Sends a request with this server name (SNI). Resolves to the response's status and body, and to the host names in the server's
 * certificate.
 */
function visit(servername: string, { path = "/api/v1/namespaces", client }: Visit = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly names: string | undefined;
    readonly status: number | undefined;
    readonly body: string;
  }>();
  const outgoing = request(
    {
      host: "127.0.0.1",
      port: server.port,
      path,
      servername,
      checkServerIdentity: () => undefined,
      ca: authority.certificatePem,
      agent: false,
      headers: { host: `${servername}:6443` },
      ...(client ? { cert: client.certificatePem, key: client.privateKeyPem } : {}),
    },
    async (response) => {
      const peer = (response.socket as TLSSocket).getPeerX509Certificate();
      let body = "";
      for await (const chunk of response.setEncoding("utf8")) body += chunk;
      resolve({ names: peer?.subjectAltName, status: response.statusCode, body });
    },
  );
  outgoing.on("error", reject);
  outgoing.end();
  return promise;
}

test("a host name selects the cluster and its certificate, and client certificates are verified with its CAs", async () => {
  const one = await clusterAt("one", "api.one.example", "api-int.one.example");
  const two = await clusterAt("two", "api.two.example");
  const admin = (signer: KeyPair) =>
    issueCertificate(signer, {
      commonName: "system:admin",
      organizations: ["system:masters"],
      usage: "client",
      validDays: 1,
    });
  const client = await admin(one.signer);
  for (const name of ["api.one.example", "API-INT.one.example"]) {
    const { names, status } = await visit(name, { client });
    assert.deepEqual([names, status], ["DNS:api.one.example, DNS:api-int.one.example", 200]);
  }
  assert.equal((await visit("api.two.example", { client })).status, 401);
  assert.equal((await visit("api.two.example", { client: await admin(two.signer) })).status, 200);
});

test("a named cluster is served at the root, without paths of other clusters", async () => {
  await clusterAt("three", "api.three.example");
  await clusterAt("four", "api.four.example");
  assert.equal((await visit("api.three.example", { path: "/readyz" })).status, 200);
  // The server forwards every path at this host name to the cluster `three`. Anonymous users of this cluster may not read the
  // requested path.
  assert.equal((await visit("api.three.example", { path: "/clusters/four/version" })).status, 403);
  const { names, status } = await visit("localhost", { path: "/clusters/four/version" });
  assert.deepEqual([names, status], ["DNS:localhost", 200]);
});

test("an unknown name gets the server's certificate and no cluster", async () => {
  const { names, status } = await visit("api.nowhere.example", { path: "/version" });
  assert.deepEqual([names, status], ["DNS:localhost", 404]);
});

test("later sources override names, wildcards match one label, and a deleted cluster releases its names", async () => {
  const { cluster } = await clusterAt("five", "api.five.example");
  const named = await certificate("*.five.example", "api.five.example");
  cluster.setServingCertificates("named", [
    { names: ["*.five.example", "api.five.example"], certificate: async () => named },
  ]);
  const { subjectAltName } = new X509Certificate(named.certificatePem);
  const namesAt = async (name: string) => (await visit(name, { path: "/readyz" })).names;
  assert.equal(await namesAt("api.five.example"), subjectAltName);
  assert.equal(await namesAt("console.five.example"), subjectAltName);
  assert.equal(await namesAt("a.b.five.example"), "DNS:localhost");
  cluster.setServingCertificates("named", []);
  assert.equal(await namesAt("api.five.example"), "DNS:api.five.example");
  await server.deleteCluster("five");
  assert.equal(await namesAt("api.five.example"), "DNS:localhost");
});

test("a name belongs to the first cluster with it until that cluster releases it", async () => {
  const first = await clusterAt("six", "api.shared.example");
  const { signer } = await clusterAt("seven", "api.shared.example");
  const client = await issueCertificate(signer, {
    commonName: "system:admin",
    organizations: ["system:masters"],
    usage: "client",
    validDays: 1,
  });
  assert.equal((await visit("api.shared.example", { client })).status, 401);
  first.cluster.setServingCertificates("installer", []);
  assert.equal((await visit("api.shared.example", { client })).status, 200);
});

test("a certificate is created for the first handshake and retried after a failure", async () => {
  const { cluster } = await clusterAt("eight", "api.old.example");
  let calls = 0;
  const pair = await certificate("api.eight.example");
  cluster.setServingCertificates("installer", [
    {
      names: ["api.eight.example"],
      certificate: async () => {
        calls += 1;
        if (calls === 1) throw new Error("no signer");
        return pair;
      },
    },
  ]);
  await assert.rejects(visit("api.eight.example"));
  for (const _ of [1, 2])
    assert.equal((await visit("api.eight.example", { path: "/readyz" })).names, "DNS:api.eight.example");
  assert.equal(calls, 2);
});

test("the server listens at additional addresses until they are disposed", async () => {
  const statusAt = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { host, port: server.port, path: "/livez", ca: authority.certificatePem, agent: false };
      const outgoing = request({ ...options, servername: "localhost" }, (response) =>
        resolve(response.resume().statusCode),
      );
      outgoing.on("error", reject);
      outgoing.end();
    });
  // Only Linux assigns the complete network 127.0.0.0/8 to the loopback interface.
  const address = process.platform === "linux" ? "127.0.0.77" : "::1";
  const more = await server.listenAt(address);
  assert.equal(await statusAt(address), 200);
  await assert.rejects(server.listenAt(address), (error) => isCoded(error, "PortTaken"));
  await more[Symbol.asyncDispose]();
  await assert.rejects(statusAt(address), { code: "ECONNREFUSED" });
  assert.equal(await statusAt("127.0.0.1"), 200);
});
