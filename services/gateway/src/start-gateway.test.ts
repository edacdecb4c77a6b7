import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectTcp, createServer, type Server, type Socket } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import {
  createLogger,
  issueCertificate,
  type KeyPair,
  Metrics,
  type Sample,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { until } from "@keelson/base/testing/eventually";
import { openStore } from "@keelson/cluster/testing";
import { create, replace } from "@keelson/database";
import type { GatewayDocument, ServiceDatabase } from "@keelson/model";
import { type Gateway, type GatewayOptions, startGateway } from "./start-gateway.ts";
import { proxyHeader } from "./testing/proxy-header.ts";

const signal = AbortSignal.timeout(900_000);
const subscription = "00000000-0000-0000-0000-000000000001";
const host = "management.azure.com";
let database: ServiceDatabase;
let pair: KeyPair;
let echo: Server;
let echoPort: number;
let samples: Sample[] = [];
let lastLink = 100;

before(async () => {
  database = await openStore();
  pair = await issueCertificate(undefined, {
    commonName: host,
    dnsNames: [host],
    usage: "server",
    validDays: 1,
  });
  echo = createTlsServer(
    { cert: pair.certificatePem, key: pair.privateKeyPem, allowHalfOpen: true },
    (socket) => {
      socket.on("error", () => undefined);
      socket.pipe(socket);
    },
  );
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  echoPort = Object(echo.address()).port;
});
beforeEach(() => {
  samples = [];
});
after(async () => {
  echo.close();
  await database[Symbol.asyncDispose]();
});

/** Starts a gateway that connects every destination host to the echo server. */
async function gatewayWith(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const metrics = new Metrics();
  metrics.listen((sample) => samples.push(sample));
  const gateway = await startGateway({
    database,
    host: "127.0.0.1",
    connectPort: 0,
    tlsPort: 0,
    hosts: [host],
    storageSuffix: "core.windows.net",
    dial: () => connectTcp({ port: echoPort, host: "127.0.0.1", allowHalfOpen: true }),
    limits: { idleMs: 60_000, perCluster: 10, total: 20 },
    handshakeMs: 10_000,
    serveOnMs: 0,
    drainMs: 0,
    clock: systemClock,
    logger: silentLogger,
    metrics,
    ...options,
  });
  await until(() => gateway.ready(), "the gateway is ready");
  return gateway;
}

/** Creates a link record for a cluster. */
async function newLink(gateway: Partial<GatewayDocument["gateway"]> = {}): Promise<number> {
  const id = ++lastLink;
  const { gateways } = database.collections;
  const document: GatewayDocument = {
    id: `${id}`,
    partitionKey: subscription,
    gateway: { id: `/subscriptions/${subscription}/clusters/c${id}`, ...gateway },
  };
  assert.equal(
    (await database.commit(subscription, [create(gateways, document)], { signal })).kind,
    "committed",
  );
  return id;
}

async function retire(linkId: number): Promise<void> {
  const { gateways } = database.collections;
  const stored = await gateways.find(subscription, `${linkId}`, signal);
  assert.ok(stored);
  const document = {
    ...stored.document,
    gateway: { ...stored.document.gateway, deleting: true },
    ttlSeconds: 60,
  };
  const { kind } = await database.commit(subscription, [replace(gateways, stored, document)], { signal });
  assert.equal(kind, "committed");
}

async function raw(port: number, linkId?: number): Promise<Socket> {
  const socket = connectTcp({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  if (linkId !== undefined) socket.write(proxyHeader({ linkId }));
  return socket;
}

/** Sends `text` over TLS through `socket` and returns the echo. Returns undefined if the gateway closes the connection. */
async function echoed(socket: Socket, servername: string, text: string): Promise<string | undefined> {
  const tls = connectTls({
    socket,
    servername,
    ca: pair.certificatePem,
    checkServerIdentity: () => undefined,
  });
  const answer = new Promise<string | undefined>((resolve) => {
    tls.once("data", (data) => resolve(data.toString()));
    tls.once("error", () => resolve(undefined));
    tls.once("close", () => resolve(undefined));
  });
  tls.write(text);
  const result = await answer;
  tls.destroy();
  return result;
}

async function connectResponse(socket: Socket, target: string): Promise<string> {
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [data] = await once(socket, "data");
  return data.toString().split("\r\n")[0];
}

const counted = () =>
  samples
    .filter(({ metric }) => metric === "gateway.connections")
    .map(({ dimensions }) => Object.values(dimensions).sort().join(" "));

test("a known link's bytes reach an allowed host unmodified through both entrances", async () => {
  await using gateway = await gatewayWith();
  const link = await newLink();
  await until(() => gateway.ready(), "ready");
  await untilAllowed(gateway, link);
  samples = [];
  assert.equal(await echoed(await raw(gateway.tlsPort, link), host, "hello"), "hello");
  const socket = await raw(gateway.connectPort, link);
  assert.equal(await connectResponse(socket, `${host}:443`), "HTTP/1.1 200 OK");
  assert.equal(await echoed(socket, host, "hello again"), "hello again");
  assert.deepEqual(counted(), ["allowed https", "allowed http"]);
});

test("the log has a line for each allowed connection, with its cluster and host", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const link = await newLink();
  await using gateway = await gatewayWith({ logger });
  await untilAllowed(gateway, link);
  const access = lines.map((line) => JSON.parse(line)).find(({ logKind }) => logKind === "access");
  assert.equal(access?.msg, "access allowed");
  assert.deepEqual([access.hostname, access.protocol, access.linkId], [host, "https", `${link}`]);
  assert.match(access.resourceId, new RegExp(`/clusters/c${link}$`));
});

/** Waits until the gateway has received the change and accepts the link. */
async function untilAllowed(gateway: Gateway, link: number): Promise<void> {
  for (;;) {
    const answer = await echoed(await raw(gateway.tlsPort, link), host, "x");
    if (answer === "x") return;
    await systemClock.sleep(10, signal);
  }
}

test("forbidden hosts, missing server names and connections without TLS are closed without a response", async () => {
  const link = await newLink({ storageSuffix: "abcde" });
  await using gateway = await gatewayWith();
  assert.equal(
    await echoed(await raw(gateway.tlsPort, link), "clusterabcde.blob.core.windows.net", "own"),
    "own",
  );
  samples = [];
  assert.equal(await echoed(await raw(gateway.tlsPort, link), "evil.example", "hello"), undefined);
  assert.equal(await echoed(await raw(gateway.tlsPort, link), "", "hello"), undefined);
  assert.deepEqual(counted(), ["denied https", "denied https"]);
  assert.deepEqual(
    samples.filter(({ metric }) => metric === "gateway.nohost").map(({ dimensions }) => dimensions),
    [{ linkid: `${link}`, action: "denied" }],
  );
  const socket = await raw(gateway.tlsPort, link);
  socket.write("GET / HTTP/1.1\r\n\r\n");
  const chunks = await socket.toArray();
  assert.equal(Buffer.concat(chunks).length, 0);
});

const responses: readonly (readonly [what: string, target: string, status: string])[] = [
  ["an allowed host on another port", `${host}:80`, "HTTP/1.1 403 Forbidden"],
  ["another host", "evil.example:443", "HTTP/1.1 403 Forbidden"],
  ["a host without a port", host, "HTTP/1.1 400 Bad Request"],
  ["a user before the host", `user@${host}:443`, "HTTP/1.1 400 Bad Request"],
];
test("a rejected CONNECT gets the status of its fault", async (t) => {
  const link = await newLink();
  await using gateway = await gatewayWith();
  for (const [what, target, status] of responses)
    await t.test(what, async () => {
      assert.equal(await connectResponse(await raw(gateway.connectPort, link), target), status);
    });
  await t.test("a link that no cluster has", async () => {
    assert.equal(
      await connectResponse(await raw(gateway.connectPort, 9), `${host}:443`),
      "HTTP/1.1 500 Internal Server Error",
    );
  });
  await t.test("no link at all", async () => {
    assert.equal(
      await connectResponse(await raw(gateway.connectPort), `${host}:443`),
      "HTTP/1.1 500 Internal Server Error",
    );
  });
  await t.test("a different method", async () => {
    const response = await fetch(`http://127.0.0.1:${gateway.connectPort}/`, { signal });
    assert.equal(response.status, 405);
  });
});

test("an unreachable host is a bad gateway", async () => {
  const link = await newLink();
  await using gateway = await gatewayWith({ dial: () => connectTcp({ port: 1, host: "127.0.0.1" }) });
  assert.equal(
    await connectResponse(await raw(gateway.connectPort, link), `${host}:443`),
    "HTTP/1.1 502 Bad Gateway",
  );
});

test("a retired link is rejected, and loses its connections", async () => {
  const link = await newLink();
  await using gateway = await gatewayWith();
  const socket = await raw(gateway.connectPort, link);
  assert.equal(await connectResponse(socket, `${host}:443`), "HTTP/1.1 200 OK");
  const closed = once(socket.resume(), "end");
  await retire(link);
  await closed;
  assert.equal(
    await connectResponse(await raw(gateway.connectPort, link), `${host}:443`),
    "HTTP/1.1 500 Internal Server Error",
  );
});

test("a cluster has at most its limit of connections, independent of other clusters", async () => {
  const [link, other] = [await newLink(), await newLink()];
  await using gateway = await gatewayWith({ limits: { idleMs: 60_000, perCluster: 2, total: 20 } });
  const open = async () => connectResponse(await raw(gateway.connectPort, link), `${host}:443`);
  assert.deepEqual(
    [await open(), await open(), await open()],
    ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 503 Service Unavailable"],
  );
  assert.equal(
    await connectResponse(await raw(gateway.connectPort, other), `${host}:443`),
    "HTTP/1.1 200 OK",
  );
});

test("silent and idle connections are closed", async () => {
  const link = await newLink();
  await using gateway = await gatewayWith({
    handshakeMs: 50,
    limits: { idleMs: 50, perCluster: 10, total: 20 },
  });
  const silent = await raw(gateway.tlsPort, link);
  await once(silent.resume(), "end");
  const idle = await raw(gateway.connectPort, link);
  assert.equal(await connectResponse(idle, `${host}:443`), "HTTP/1.1 200 OK");
  await once(idle.resume(), "end");
});

test("a half-closed connection still receives data", async () => {
  const link = await newLink();
  const late = createServer({ allowHalfOpen: true }, (socket) => {
    let heard = "";
    socket.on("data", (data) => {
      heard += data;
    });
    socket.on("end", () => socket.end(`heard ${heard}`));
  });
  late.listen(0, "127.0.0.1");
  await once(late, "listening");
  const { port } = Object(late.address());
  await using gateway = await gatewayWith({
    dial: () => connectTcp({ port, host: "127.0.0.1", allowHalfOpen: true }),
  });
  const socket = await raw(gateway.connectPort, link);
  assert.equal(await connectResponse(socket, `${host}:443`), "HTTP/1.1 200 OK");
  socket.end("all");
  assert.equal(Buffer.concat(await socket.toArray()).toString(), "heard all");
  late.close();
});

test("a draining gateway is not ready, accepts connections for a while, and waits for open ones", async () => {
  const link = await newLink();
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const clock = {
    ...systemClock,
    sleep: (ms: number, stop: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        waits.push({ ms, end: resolve });
        stop.addEventListener("abort", () => reject(stop.reason));
      }),
  };
  await using gateway = await gatewayWith({ clock, serveOnMs: 45_000, drainMs: 60_000 });
  const health = () =>
    fetch(`http://127.0.0.1:${gateway.connectPort}/healthz/ready`, {
      signal,
      headers: { connection: "close" },
    });
  assert.equal((await health()).status, 200);
  const drained = gateway.drain();
  assert.equal((await health()).status, 500);
  const socket = await raw(gateway.connectPort, link);
  assert.equal(await connectResponse(socket, `${host}:443`), "HTTP/1.1 200 OK");
  waits.find(({ ms }) => ms === 45_000)?.end();
  await until(() => waits.some(({ ms }) => ms === 60_000), "it drains");
  await assert.rejects(raw(gateway.connectPort));
  assert.equal(await echoed(socket, host, "still here"), "still here");
  await drained;
});

test("a cluster with many connections does not lock out other clusters or probes", async () => {
  const [hostile, other] = [await newLink(), await newLink()];
  await using gateway = await gatewayWith({ limits: { idleMs: 60_000, perCluster: 3, total: 20 } });
  await untilAllowed(gateway, other);
  const held = await Promise.all(Array.from({ length: 60 }, () => raw(gateway.connectPort, hostile)));
  for (const socket of held) socket.resume();
  const open = () => held.filter(({ readableEnded }) => !readableEnded).length;
  await until(() => open() <= 3, "the cluster has the connections of one cluster");
  assert.equal(
    await connectResponse(await raw(gateway.connectPort, other), `${host}:443`),
    "HTTP/1.1 200 OK",
  );
  const probe = await fetch(`http://127.0.0.1:${gateway.connectPort}/healthz/ready`, {
    signal,
    headers: { connection: "close" },
  });
  assert.equal(probe.status, 200);
  for (const socket of held) socket.destroy();
});

test("a connection that never completes its CONNECT request is closed", async () => {
  const clock = new ManualClock(new Date());
  await using gateway = await gatewayWith({ clock });
  const link = await newLink();
  const silent = [
    await raw(gateway.connectPort, link),
    await raw(gateway.connectPort, link),
    await raw(gateway.tlsPort, link),
  ];
  silent[1]?.write(`CONNECT ${host}`);
  const closed = Promise.all(silent.map((socket) => once(socket.resume(), "end")));
  const isClosed = closed.then(() => true);
  while (!(await Promise.race([isClosed, clock.advance(1_000).then(() => false)])));
});
