import assert from "node:assert/strict";
import { request } from "node:https";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import {
  createCertificateAuthority,
  issueCertificate,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { assertKeepAlive } from "@keelson/http/testing";
import { BootProblems } from "../boot/boot-problems.ts";
import { FaultRegistry } from "../faults/fault-registry.ts";
import { ImageRules } from "../kubelet/processes/image-rules.ts";
import { SettingsFeed } from "../processes/settings-feed.ts";
import { UpdateSource } from "../updates/update-source.ts";
import { type AdminServer, startAdminServer } from "./admin-server.ts";

const token = new Secret("open-sesame");
const faults = new FaultRegistry(systemClock);
const updates = new UpdateSource();
const imageRules = new ImageRules();
const bootProblems = new BootProblems(async () => undefined, silentLogger);
let server: AdminServer;
let caPem: string;

before(async () => {
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  caPem = authority.certificatePem;
  const options = { host: "localhost", port: 0, tls, token };
  const connectMachine = ({ id }: { id: string }, port: number) =>
    id === "/echo" && port === 22 ? new PassThrough() : undefined;
  server = await startAdminServer(options, {
    faults,
    bootProblems,
    updates,
    imageRules,
    serves: () => false,
    feed: new SettingsFeed({ faults, updates, imageRules }, systemClock),
    others: [],
    connectMachine,
    logger: silentLogger,
  });
});
after(() => server[Symbol.asyncDispose]());

function call(method: string, path: string, body?: string, authorization = `Bearer ${token.reveal()}`) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const outgoing = request(
    {
      host: "localhost",
      port: server.port,
      ca: caPem,
      method,
      path,
      headers: { authorization },
      agent: false,
    },
    async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
    },
  );
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}

test("faults are set, listed and cleared", async () => {
  const set = await call("POST", "/faults", JSON.stringify({ kind: "disk-full", cluster: "demo" }));
  assert.equal(set.status, 201);
  assert.partialDeepStrictEqual(set.body, { kind: "disk-full", cluster: "demo", parameters: {} });
  assert.deepEqual((await call("GET", "/faults")).body, { items: [set.body] });
  const [fault] = faults.list();
  assert.deepEqual((await call("DELETE", `/faults/${fault?.id}`)).body, { items: [set.body] });
  assert.equal((await call("DELETE", `/faults/${fault?.id}`)).status, 404);
  assert.deepEqual((await call("DELETE", "/faults")).body, { items: [] });
});

test("machines that cannot boot are listed with the faults until they boot", async () => {
  const machine = { id: "/subscriptions/s/m", name: "demo-x7k2p-bootstrap" };
  await bootProblems.add("demo-x7k2p", machine, "no such host");
  const parameters = { machine: machine.name, reason: "no such host" };
  const item = { id: `boot-${machine.name}`, kind: "machine-boot", cluster: "demo-x7k2p", parameters };
  assert.deepEqual((await call("GET", "/faults")).body, { items: [item] });
  await bootProblems.resolve(machine);
  assert.deepEqual((await call("GET", "/faults")).body, { items: [] });
});

test("the offers of updates are programmed and forgotten", async () => {
  const node = (version: string) => ({ version, payload: `quay.io/x@sha256:${version}`, metadata: {} });
  const graph = { nodes: [node("4.19.1"), node("4.19.9")], edges: [[0, 1]] };
  assert.equal((await call("PUT", "/updates", JSON.stringify(graph))).status, 200);
  assert.deepEqual((await call("GET", "/updates")).body, graph);
  assert.deepEqual(
    updates.offers("4.19.1", "stable-4.19")?.map(({ version }) => version),
    ["4.19.9"],
  );
  assert.equal((await call("PUT", "/updates", '{"nodes":[],"edges":[[0,1]]}')).status, 400);
  assert.equal((await call("DELETE", "/updates")).status, 200);
  assert.equal(updates.graph, undefined);
});

for (const [name, method, path, body, status] of [
  ["what is no JSON", "POST", "/faults", "{", 400],
  ["a fault without a kind", "POST", "/faults", "{}", 400],
  ["a body without end", "POST", "/faults", `"${"x".repeat(2_000_000)}"`, 400],
  ["an image rule without a prefix", "POST", "/images", "{}", 400],
  ["a path that is none", "GET", "/nothing", undefined, 404],
] as const)
  test(`${name} returns ${status}`, async () => {
    const answer = await call(method, path, body);
    assert.equal(answer.status, status);
    assert.ok(answer.body);
  });

test("requests without the token are rejected", async () => {
  for (const authorization of ["", "Bearer x", `bearer${token.reveal()}`])
    assert.equal((await call("GET", "/faults", undefined, authorization)).status, 401);
});

/** Requests a connection upgrade. Resolves to the response status, or to the bytes that the machine echoes. */
function upgrade(path: string, authorization = `Bearer ${token.reveal()}`): Promise<number | string> {
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  const headers = { authorization, connection: "Upgrade", upgrade: "tcp" };
  const outgoing = request({ host: "localhost", port: server.port, ca: caPem, path, headers, agent: false });
  outgoing.on("error", reject);
  outgoing.on("response", (response) => resolve(response.resume().statusCode ?? 0));
  outgoing.on("upgrade", (_, socket) => {
    socket.on("data", (chunk: Buffer) => {
      resolve(chunk.toString());
      socket.destroy();
    });
    socket.write("ping");
  });
  outgoing.end();
  return promise;
}

for (const [title, path, authorization, expected] of [
  ["connects to a port of a machine", "/machines/%2Fecho/ports/22", undefined, "ping"],
  ["refuses a connection without the token", "/machines/%2Fecho/ports/22", "Bearer other", 401],
  ["responds 404 for a port that nothing listens on", "/machines/%2Fecho/ports/23", undefined, 404],
  ["responds 404 for an upgrade of a different path", "/faults", undefined, 404],
] as const)
  test(`an upgrade ${title}`, async () => {
    assert.equal(await upgrade(path, authorization), expected);
  });

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await assertKeepAlive(`https://localhost:${server.port}/faults`);
});

test("image rules are set, listed and cleared by prefix and cluster", async () => {
  const rule = { prefix: "quay.io/app", exitCode: 3, afterMs: 0, log: "done" };
  const set = await call("POST", "/images", JSON.stringify(rule));
  assert.deepEqual(set, { status: 201, body: rule });
  const ofDemo = { prefix: "quay.io/app", cluster: "demo", exitCode: 0, afterMs: 1_000 };
  await call("POST", "/images", JSON.stringify({ prefix: ofDemo.prefix, cluster: "demo" }));
  assert.deepEqual((await call("GET", "/images")).body, { items: [rule, ofDemo] });
  const cleared = await call("DELETE", "/images?prefix=quay.io%2Fapp&cluster=demo");
  assert.deepEqual(cleared.body, { items: [ofDemo] });
  assert.deepEqual((await call("DELETE", "/images")).body, { items: [rule] });
});
