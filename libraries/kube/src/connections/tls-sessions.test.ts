import assert from "node:assert/strict";
import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { type AddressInfo, createServer } from "node:net";
import { after, before, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { connectKube } from "../connect-kube.ts";
import { createKubeconfig } from "../kubeconfig/create-kubeconfig.ts";
import { readKubeconfig } from "../kubeconfig/read-kubeconfig.ts";
import { connectOptions } from "./connect-options.ts";
import { tlsSessionOf } from "./tls-sessions.ts";

const signal = AbortSignal.timeout(900_000);
let authority: KeyPair;
let clientPairs: readonly KeyPair[];
let port: number;
const reused: boolean[] = [];
const server = createSecureServer({}, (_, response) => {
  response.end("ok");
});

before(async () => {
  authority = await createCertificateAuthority("sessions", 1);
  const pair = (commonName: string) =>
    issueCertificate(authority, { commonName, ipAddresses: ["127.0.0.1"], usage: "server", validDays: 1 });
  const serving = await pair("server");
  clientPairs = await Promise.all(
    ["one", "two"].map((commonName) =>
      issueCertificate(authority, { commonName, usage: "client", validDays: 1 }),
    ),
  );
  server.setSecureContext({ cert: serving.certificatePem, key: serving.privateKeyPem });
  server.on("secureConnection", (socket: TLSSocket) => reused.push(socket.isSessionReused()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
after(() => void server.close());

function kubeconfigOf(pair: KeyPair | undefined, caPem = authority.certificatePem): string {
  return createKubeconfig({
    server: `https://127.0.0.1:${port}`,
    caPem,
    ...(pair
      ? { clientCertificatePem: pair.certificatePem, clientKeyPem: pair.privateKeyPem }
      : { token: "token" }),
    clusterName: "c",
    userName: "u",
  });
}

/** Sends a request on a new connection. */
async function visit(pair: KeyPair | undefined, caPem?: string): Promise<number> {
  const kubeconfig = kubeconfigOf(pair, caPem);
  await using kube = connectKube({ kubeconfig, userAgent: "test", fieldManager: "test" });
  return kube.statusCode("/healthz", signal);
}

test("a second connection with the same certificates resumes the session, a different client or CA does not", async () => {
  const [one, two] = clientPairs;
  const other = await createCertificateAuthority("other", 1);
  for (const pair of [one, one, two, undefined, undefined]) assert.equal(await visit(pair), 200);
  assert.deepEqual(reused, [false, true, false, false, true]);
  assert.equal(await visit(one, other.certificatePem), 0);
});

test("a connection that fails during the handshake forgets the session", async () => {
  const pair = clientPairs[0];
  assert.equal(await visit(pair), 200);
  const { resumption } = connectOptions(readKubeconfig(kubeconfigOf(pair)), undefined).tls;
  assert.ok(resumption.load());
  server.close();
  const broken = createServer((socket) => socket.once("data", () => socket.destroy()));
  broken.listen(port, "127.0.0.1");
  await once(broken, "listening");
  assert.equal(await visit(pair), 0);
  assert.equal(resumption.load(), undefined);
  broken.close();
});

test("the number of stored sessions is limited, and the oldest session is removed first", () => {
  const first = tlsSessionOf(["first", undefined]);
  first.store(Buffer.from("a"));
  assert.deepEqual(tlsSessionOf(["first", undefined]).load(), Buffer.from("a"));
  for (let each = 0; each < 4_096; each++) tlsSessionOf([`${each}`]).store(Buffer.from("b"));
  assert.equal(first.load(), undefined);
  assert.deepEqual(tlsSessionOf(["4095"]).load(), Buffer.from("b"));
});
