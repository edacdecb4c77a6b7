import assert from "node:assert/strict";
import { once } from "node:events";
import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { createKubeconfig, type KubeClient, resources } from "../index.ts";
import { connect, serverCertificate } from "../testing/cluster.ts";
import { ConnectionPool } from "./connection-pool.ts";

const { signal } = new AbortController();
const bookmark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "1" } } };

let server: Awaited<ReturnType<typeof startServer>>;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

/** Starts a server. Watches begin with a bookmark and stay open. Other responses contain the requesting user. */
async function startServer() {
  const authority = await createCertificateAuthority("test", 1);
  const certificate = await serverCertificate(authority);
  const sessions = new Set<ServerHttp2Session>();
  const http = createSecureServer({ cert: certificate.certificatePem, key: certificate.privateKeyPem });
  http.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined).on("close", () => sessions.delete(session));
  });
  http.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => undefined);
    stream.respond({ ":status": 200 });
    if (headers[":path"]?.includes("watch")) stream.write(`${JSON.stringify(bookmark)}\n`);
    else
      stream.end(
        JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name: headers.authorization } }),
      );
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return {
    sessions,
    connect(token: string, connections: ConnectionPool, host = "127.0.0.1") {
      const kubeconfig = createKubeconfig({
        server: `https://${host}:${port}/clusters/${token}`,
        caPem: authority.certificatePem,
        clusterName: token,
        userName: token,
        token,
      });
      return connect(kubeconfig, { connections });
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

test("clients of a pool share one connection, each with its own credentials", async () => {
  const connections = new ConnectionPool();
  await using one = server.connect("one", connections);
  await using two = server.connect("two", connections);
  const nodes = await Promise.all([one, two].map((kube) => kube.get(resources.nodes, { name: "x" }, signal)));
  assert.deepEqual(
    nodes.map(({ metadata }) => metadata.name),
    ["Bearer one", "Bearer two"],
  );
  assert.equal(server.sessions.size, 1);
});

test("a client's disposal ends its own watches, and the connection when it was the last one", async () => {
  const connections = new ConnectionPool();
  const [one, two] = ["one", "two"].map((token) => server.connect(token, connections));
  assert.ok(one && two);
  const begin = async (kube: KubeClient) => {
    const events = kube.watch(resources.pods, {}, signal)[Symbol.asyncIterator]();
    await events.next();
    return events;
  };
  const [ofOne, ofTwo] = [await begin(one), await begin(two)];
  const [session] = server.sessions;
  assert.equal(server.sessions.size, 1);
  const end = ofOne.next();
  await one[Symbol.asyncDispose]();
  await assert.rejects(end, /the client is closed/);
  await assert.rejects(one.get(resources.nodes, { name: "x" }, signal), /the client is closed/);
  await one[Symbol.asyncDispose]();
  assert.equal((await two.get(resources.nodes, { name: "x" }, signal)).metadata.name, "Bearer two");
  assert.ok(session && !session.destroyed);
  const closed = once(session, "close");
  const endOfTwo = ofTwo.next();
  await two[Symbol.asyncDispose]();
  await assert.rejects(endOfTwo, /the client is closed/);
  await closed;
  await using three = server.connect("three", connections);
  assert.equal((await three.get(resources.nodes, { name: "x" }, signal)).metadata.name, "Bearer three");
});

test("a different name of the server has separate connections", async () => {
  const connections = new ConnectionPool();
  await using one = server.connect("one", connections);
  await using two = server.connect("two", connections, "localhost");
  for (const kube of [one, two]) await kube.get(resources.nodes, { name: "x" }, signal);
  assert.equal(server.sessions.size, 2);
});
