import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:https";
import type { Duplex } from "node:stream";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { elevate } from "@keelson/admin-actions";
import { Secret, silentLogger } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { createKubeconfig } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { endSession, type SessionElevation, sessionIdOf } from "@keelson/portal-sessions";
import { localCertificates } from "@keelson/sim-azure/testing";
import { type Portal, startPortal } from "../start-portal.ts";
import { CheckClock } from "../testing/check-clock.ts";
import { openSessionOn } from "../testing/open-session-on.ts";
import { storeCluster } from "../testing/store-cluster.ts";

const signal = AbortSignal.timeout(900_000);
const stack = new AsyncDisposableStack();
let database: ServiceDatabase;
let caPem: string;
let clock: CheckClock;
let portal: Portal;
let id: string;

/** Starts a stub of an API server with responses that never end. */
before(async () => {
  database = stack.use(await openStore());
  const { tls, caPem: authority } = await localCertificates();
  caPem = authority;
  const server = createServer({ key: tls.privateKeyPem, cert: tls.certificatePem }, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("{}\n");
  });
  const sockets = new Set<Duplex>();
  server.on("upgrade", (_, socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  id = await putCluster(`https://localhost:${Object(server.address()).port}`);
});
beforeEach(async () => {
  clock = new CheckClock(new Date());
  const { tls } = await localCertificates();
  portal = stack.use(
    await startPortal({ database, tls, host: "127.0.0.1", port: 0, clock, logger: silentLogger }),
  );
});
after(() => stack.disposeAsync());

function putCluster(server: string): Promise<string> {
  const names = { clusterName: "c", userName: "u" };
  const aroServiceKubeconfig = new Secret(createKubeconfig({ server, caPem, token: "t", ...names }));
  return storeCluster(database, { aroServiceKubeconfig });
}

function newToken(elevation?: SessionElevation): Promise<string> {
  const terms = { portal: { username: "ada", kubeconfig: { elevated: true } }, elevation };
  return openSessionOn(database, id, terms, clock);
}

function ask(token: string, target: string, headers: Record<string, string> = {}) {
  const { port } = portal;
  const sent = request({
    host: "127.0.0.1",
    servername: "localhost",
    port,
    ca: caPem,
    agent: false,
    path: `${id}/kubeconfig/proxy${target}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  sent.on("error", () => undefined);
  return sent.end();
}

const exec = "/api/v1/namespaces/default/pods/p/exec?command=sh";
const watch = "/api/v1/pods?watch=true";
const proxied = "/api/v1/namespaces/default/services/s/proxy/stream";
const upgrade = { connection: "Upgrade", upgrade: "websocket" };

test("an exec is cut after an hour, and not before", async () => {
  const [, socket] = await once(ask(await newToken(), exec, upgrade), "upgrade");
  await clock.advance(3_599_999);
  await delay(20);
  assert.equal(socket.destroyed, false);
  const closed = once(socket.resume(), "close");
  await clock.advance(1);
  await closed;
});

const kinds = [
  ["an exec", async (token: string) => (await once(ask(token, exec, upgrade), "upgrade"))[1]],
  ["a watch", async (token: string) => (await once(ask(token, watch), "response"))[0]],
  [
    "a response of a service behind the API server",
    async (token: string) => (await once(ask(token, proxied), "response"))[0],
  ],
] as const;

for (const [name, open] of kinds) {
  test(`${name} ends with its session`, async () => {
    const token = await newToken();
    const stream = await open(token);
    let isClosed = false;
    stream
      .on("error", () => undefined)
      .once("close", () => {
        isClosed = true;
      });
    stream.resume();
    await clock.advance(15_000);
    await delay(20);
    assert.equal(isClosed, false);
    assert.equal(await endSession(database, sessionIdOf(token), () => true, signal), true);
    while (!isClosed) {
      await clock.advance(15_000);
      await delay(5);
    }
  });
}

for (const [name, open] of kinds) {
  test(`${name} ends within 15 seconds after the elevation of its person expires`, async () => {
    const person = { subject: name, username: "ada", reason: "incident 7", minutes: 1 };
    const { from } = await elevate({ database, clock }, person, signal);
    const token = await newToken({ of: name, from });
    const stream = await open(token);
    const untilMs = clock.now().getTime() + 60_000;
    let openStreams = 1;
    stream
      .on("error", () => undefined)
      .once("close", () => {
        openStreams = 0;
      });
    stream.resume();
    await clock.assertEndAfter(untilMs, () => openStreams);
    const [response] = await once(ask(token, watch), "response");
    assert.equal(response.statusCode, 403);
  });
}

for (const [name, open] of kinds.slice(0, 2)) {
  test(`${name} does not keep the portal from stopping`, async () => {
    const stream = await open(await newToken());
    const closed = new Promise((resolve) => stream.on("error", () => undefined).once("close", resolve));
    stream.resume();
    await portal[Symbol.asyncDispose]();
    await closed;
  });
}
