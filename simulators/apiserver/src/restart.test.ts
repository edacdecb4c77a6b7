import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { freePort } from "@keelson/base/testing";
import { until } from "@keelson/base/testing/eventually";
import { openApiServer, startApiServer } from "./start-api-server.ts";
import { framesOf, TestServer, widgets } from "./testing/test-server.ts";

const directory = mkdtempSync(join(tmpdir(), "apiserver-"));
after(() => rmSync(directory, { recursive: true }));

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const object = (name: string, data: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data,
});

test("a restart restores clusters, objects, custom resources and tokens, and revisions and watches continue", async () => {
  const file = join(directory, "restart.db");
  const first = await TestServer.start(file);
  const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
  await first.cluster.client.create(definitions, widgets);
  const seen = await first.cluster.client.create(configMaps, object("seen"));
  await first.cluster.client.create(configMaps, object("missed"));
  const ours = async ({ cluster: { client } }: TestServer) => {
    const { items, resourceVersion } = await client.list(configMaps, { namespace: "default" });
    return { items: items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt"), resourceVersion };
  };
  const before = await ours(first);
  await first[Symbol.asyncDispose]();

  await using second = await TestServer.start(file, first.authority);
  assert.deepEqual(
    second.server.listClusters().map(({ name }) => name),
    ["demo"],
  );
  const after = await ours(second);
  assert.deepEqual(after.items, before.items);
  assert.ok(Number(after.resourceVersion) >= Number(before.resourceVersion));
  assert.deepEqual(
    (await second.cluster.client.list({ group: "example.com", version: "v1", resource: "widgets" })).items,
    [],
  );
  const headers = { authorization: "Bearer secret-token" };
  assert.equal((await second.call("GET", "/api/v1/nodes", { user: undefined, headers })).status, 200);
  const from = seen.metadata.resourceVersion;
  const response = await second.open(
    "GET",
    `/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${from}`,
  );
  const { value } = await framesOf(response).next();
  assert.equal(scalarStringAt(value, "object", "metadata", "name"), "missed");
  response.destroy();
});

test("a server that loads its clusters in advance listens only when it is requested", async () => {
  const file = join(directory, "loaded.db");
  const first = await TestServer.start(file);
  await first.cluster.client.create(configMaps, object("stored"));
  await first[Symbol.asyncDispose]();
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays: 1 });
  const port = await freePort();
  const opened = await openApiServer({
    host: "127.0.0.1",
    port,
    tls,
    storage: { kind: "file", path: file },
    logger: silentLogger,
    clock: systemClock,
  });
  await assert.rejects(once(connect(port, "127.0.0.1"), "connect"), { code: "ECONNREFUSED" });
  const server = await opened.listen();
  await using _ = opened;
  assert.equal(server.port, port);
  const client = server.findCluster("demo")?.client;
  assert.ok(await client?.get(configMaps, { namespace: "default", name: "stored" }));
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
});

test("the published CA follows the server's CA", async () => {
  const file = join(directory, "authority.db");
  const first = await TestServer.start(file);
  const key = { namespace: "default", name: "kube-root-ca.crt" };
  const authority = async ({ cluster: { client } }: TestServer) =>
    scalarStringAt(await client.find(configMaps, key), "data", "ca.crt");
  await until(async () => (await authority(first)) !== "");
  const before = await authority(first);
  await first[Symbol.asyncDispose]();
  await using second = await TestServer.start(file, first.authority);
  await until(async () => (await authority(second)) !== before);
});

test("a port in use is reported, and no resource remains open", async () => {
  await using server = await TestServer.start();
  const { port } = server.server;
  const file = join(directory, "taken.db");
  const options = {
    host: "127.0.0.1",
    port,
    tls: server.authority,
    storage: { kind: "file", path: file },
    logger: silentLogger,
    clock: systemClock,
  } as const;
  await assert.rejects(startApiServer(options), {
    code: "PortTaken",
    message: new RegExp(`port ${port} of 127.0.0.1`),
  });
  await using again = await TestServer.start(file);
  assert.equal(again.server.listClusters().length, 1);
});

test("a file that a different server has locked is rejected immediately", async () => {
  const file = join(directory, "shared.db");
  await using first = await TestServer.start(file);
  await assert.rejects(TestServer.start(file), { code: "StorageUnusable", message: /locked/ });
  assert.equal((await first.call("GET", "/healthz")).status, 200);
});

test("changes of the caller's object after a write do not affect the stored object", async () => {
  await using server = await TestServer.start();
  const mine = { ...object("mine"), data: { a: "1" } };
  await server.cluster.client.create(configMaps, mine);
  mine.data.a = "2";
  const stored = await server.cluster.client.get(configMaps, { namespace: "default", name: "mine" });
  assert.equal(scalarStringAt(stored, "data", "a"), "1");
});

test("a deleted cluster does not exist after a restart, and its name is free", async () => {
  const file = join(directory, "deleted.db");
  const first = await TestServer.start(file);
  await first.cluster.client.create(configMaps, object("former"));
  await assert.rejects(first.server.createCluster({ name: "demo", clientCertificateAuthorities: [] }), {
    code: "ClusterExists",
  });
  await assert.rejects(first.server.createCluster({ name: "a/b", clientCertificateAuthorities: [] }), {
    code: "InvalidClusterName",
  });
  await first.server.deleteCluster("demo");
  assert.equal((await first.call("GET", "/version")).status, 404);
  await first[Symbol.asyncDispose]();
  const second = await TestServer.start(file, first.authority);
  const former = { namespace: "default", name: "former" };
  assert.equal(await second.cluster.client.find(configMaps, former), undefined);
  await second[Symbol.asyncDispose]();
});

/** Program that writes ConfigMaps continuously. It prints the name and revision of each acknowledged write. */
const writer = `
  import { TestServer } from ${JSON.stringify(new URL("./testing/test-server.ts", import.meta.url).href)};
  const { cluster: { client } } = await TestServer.start(process.argv[1]);
  const ref = { group: "", version: "v1", resource: "configmaps" };
  for (let round = 0; ; round++) {
    await Promise.all(Array.from({ length: 20 }, async (_, at) => {
      const metadata = { name: "c" + process.pid + "-" + round + "-" + at, namespace: "default" };
      const made = await client.create(ref, { apiVersion: "v1", kind: "ConfigMap", metadata });
      process.stdout.write(metadata.name + " " + made.metadata.resourceVersion + "\\n");
    }));
  }
`;

test("a process killed during writes loses no acknowledged write", async () => {
  const file = join(directory, "crash.db");
  const acknowledged = new Map<string, number>();
  for (const lines of [50, 333]) {
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", writer, file],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let count = 0;
    for await (const line of createInterface(child.stdout)) {
      const [name = "", revision = ""] = line.split(" ");
      acknowledged.set(name, Number(revision));
      if (++count === lines) child.kill("SIGKILL");
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    assert.equal(child.signalCode, "SIGKILL");
  }
  await using server = await TestServer.start(file);
  const { items, resourceVersion } = await server.cluster.client.list(configMaps, { namespace: "default" });
  const stored = new Map(items.map(({ metadata }) => [metadata.name, Number(metadata.resourceVersion)]));
  for (const [name, revision] of acknowledged) assert.equal(stored.get(name), revision);
  const revisions = [...acknowledged.values()];
  assert.equal(new Set(revisions).size, revisions.length);
  assert.ok(Number(resourceVersion) >= Math.max(...revisions));
});
