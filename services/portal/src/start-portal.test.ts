import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { after, before, beforeEach, test } from "node:test";
import { type SimulatedCluster, startSimulatedCluster } from "@keelson/admin-actions/testing";
import { createLogger, issueCertificate, type KeyPair, systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { remove } from "@keelson/database";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import type { PortalSessionDocument, ServiceDatabase } from "@keelson/model";
import { endSession, sessionIdOf } from "@keelson/portal-sessions";
import { type Portal, startPortal } from "./start-portal.ts";
import { openSessionOn } from "./testing/open-session-on.ts";
import { bothKubeconfigs, storeCluster, subscriptionId } from "./testing/store-cluster.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
let cluster: SimulatedCluster;
let tls: KeyPair;
let portal: Portal;
let lines: string[] = [];
let id: string;

before(async () => {
  database = await openStore();
  cluster = await startSimulatedCluster();
  tls = await issueCertificate(undefined, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const destination = { write: (line: string) => void lines.push(line) };
  portal = await startPortal({
    database,
    tls,
    host: "127.0.0.1",
    port: 0,
    longestUpgradeMs: 60_000,
    clock: systemClock,
    logger: createLogger({ level: "info", destination }),
  });
  id = await putCluster();
});
beforeEach(() => {
  lines = [];
});
after(async () => {
  await portal?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

/** Stores a cluster with kubeconfigs for the simulated cluster. */
const putCluster = () => storeCluster(database, bothKubeconfigs(cluster.kubeconfig));

type Session = PortalSessionDocument["portal"];

const newToken = ({ id: key = id, ...session }: Partial<Session> = {}): Promise<string> =>
  openSessionOn(database, key, {
    portal: { username: "ada@example.com", kubeconfig: { elevated: true }, ...session },
  });

/** Creates a client that uses the server and the certificate of a portal kubeconfig. */
function clientOf(token: string): KubeClient {
  const kubeconfig = JSON.stringify({
    clusters: [
      {
        name: "cluster",
        cluster: {
          server: `${portal.url}${id}/kubeconfig/proxy`,
          "certificate-authority-data": Buffer.from(tls.certificatePem).toString("base64"),
        },
      },
    ],
    users: [{ name: "user", user: { token } }],
    contexts: [{ name: "context", context: { cluster: "cluster", user: "user" } }],
    "current-context": "context",
  });
  return connectKube({ kubeconfig, userAgent: "test", fieldManager: "test" });
}

/** Sends a GET request. The request target is sent unchanged. */
async function get(
  target: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const request = httpsRequest({
    host: "127.0.0.1",
    port: portal.port,
    path: target,
    headers,
    ca: tls.certificatePem,
    servername: "localhost",
  });
  request.end();
  const [response] = await once(request, "response");
  const body = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, body };
}

const audited = () => lines.map((line) => JSON.parse(line)).filter(({ logKind }) => logKind === "audit");

test("reads, writes, watches, logs and exec are forwarded, each with person and request in the audit", async () => {
  const token = await newToken();
  await using kube = clientOf(token);
  assert.equal((await kube.list(resources.nodes, {}, signal)).items.length, 4);
  const name = "CaseKept";
  await kube.create(
    resources.configMaps,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "c" },
      data: { [name]: "x" },
    },
    signal,
  );
  const found = await kube.get(resources.configMaps, { namespace: "default", name: "c" }, signal);
  assert.deepEqual(found.data, { [name]: "x" });
  const stop = new AbortController();
  for await (const event of kube.watch(
    resources.configMaps,
    { namespace: "default" },
    AbortSignal.any([signal, stop.signal]),
  )) {
    assert.equal(event.type, "ADDED");
    break;
  }
  stop.abort();
  const [first, create] = audited();
  assert.deepEqual(
    [first?.caller, first?.target, first?.elevated, first?.status, first?.request],
    ["ada@example.com", id, true, 200, { kind: "resource", verb: "list", group: "", resource: "nodes" }],
  );
  assert.deepEqual(create?.request, {
    kind: "resource",
    verb: "create",
    group: "",
    namespace: "default",
    resource: "configmaps",
  });
  assert.ok(!lines.join("").includes(token));
});

test("over HTTP/2, too", async () => {
  const session = connectHttp2(portal.url, { ca: tls.certificatePem });
  const stream = session.request({
    ":path": `${id}/kubeconfig/proxy/api/v1/nodes`,
    authorization: `Bearer ${await newToken()}`,
  });
  const [headers] = await once(stream, "response");
  const body = Buffer.concat(await stream.toArray()).toString();
  session.close();
  assert.equal(headers[":status"], 200);
  assert.equal(JSON.parse(body).kind, "NodeList");
});

test("an unannounced body does not become a request to the cluster", async () => {
  const session = connectHttp2(portal.url, { ca: tls.certificatePem });
  const authorization = `Bearer ${await newToken({ kubeconfig: { elevated: false } })}`;
  const path = `${id}/kubeconfig/proxy/api/v1/nodes`;
  const smuggled = "POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "smuggled" } });
  const stream = session.request({ ":method": "GET", ":path": path, authorization }, { endStream: false });
  stream.end(`${smuggled}Content-Length: ${body.length}\r\n\r\n${body}`);
  await once(stream, "response");
  await stream.toArray();
  session.close();
  await using kube = clientOf(await newToken());
  const { items } = await kube.list(resources.namespaces, {}, signal);
  assert.ok(!items.some(({ metadata }) => metadata.name === "smuggled"));
});

test("without elevation the cluster is only read", async () => {
  await using kube = clientOf(await newToken({ kubeconfig: { elevated: false } }));
  assert.equal((await kube.list(resources.nodes, {}, signal)).items.length, 4);
  await assert.rejects(kube.list(resources.secrets, {}, signal), {
    code: 403,
    message: /User "system:aro-sre" cannot list resource "secrets" in API group "" at the cluster scope/,
  });
  assert.equal(audited().at(-1)?.result, "Fail");
});

test("invalid and ended tokens, and tokens of a different kind or cluster, are rejected", async () => {
  const path = `${id}/kubeconfig/proxy/api/v1/nodes`;
  const revoked = await newToken();
  assert.equal(await endSession(database, sessionIdOf(revoked), () => true, signal), true);
  const ofSsh = await newToken({ kubeconfig: undefined, ssh: { master: 0 } } as unknown as Partial<Session>);
  const other = await newToken({ id: await putCluster() });
  const cases: readonly (readonly [headers: Record<string, string>, status: number])[] = [
    [{}, 403],
    [{ authorization: "Bearer x" }, 403],
    [{ authorization: `Bearer ${randomUUID()}` }, 403],
    [{ authorization: `Basic ${await newToken()}` }, 403],
    [{ authorization: `Bearer ${revoked}` }, 403],
    [{ authorization: `Bearer ${ofSsh}` }, 403],
    [{ authorization: `Bearer ${other}` }, 400],
  ];
  for (const [headers, status] of cases)
    assert.equal((await get(path, headers)).status, status, JSON.stringify(headers));
});

test("no spelling of a path reaches a cluster other than the token's", async () => {
  const headers = { authorization: `Bearer ${await newToken()}` };
  const other = await putCluster();
  const proxy = `${id}/kubeconfig/proxy`;
  for (const target of [
    `${other}/kubeconfig/proxy/api/v1/nodes`,
    `${proxy}/../../${other.slice(1)}/kubeconfig/proxy/api`,
    `${proxy}/api/v1/%2e%2e/x`,
    `${proxy}//api/v1/nodes`,
    `${proxy}/api%2fv1/nodes`,
  ])
    assert.equal((await get(target, headers)).status, 400, target);
  assert.equal((await get(`${proxy.toUpperCase()}/api/v1/nodes`, headers)).status, 200);
});

test("a token of a deleted cluster is as unknown, also for the next cluster of its name", async () => {
  const name = "deleted";
  const first = await storeCluster(database, bothKubeconfigs(cluster.kubeconfig), name);
  const headers = { authorization: `Bearer ${await newToken({ id: first })}` };
  const path = `${first}/kubeconfig/proxy/api/v1/nodes`;
  assert.equal((await get(path, headers)).status, 200);
  const unknown = await get(path, { authorization: `Bearer ${randomUUID()}` });
  const { clusters } = database.collections;
  const stored = await clusters.findBy(subscriptionId, "key", first, signal);
  assert.ok(stored);
  await database.commit(subscriptionId, [remove(clusters, stored)], { signal });
  assert.deepEqual(await get(path, headers), unknown);
  assert.equal(await storeCluster(database, bothKubeconfigs(cluster.kubeconfig), name), first);
  assert.deepEqual(await get(path, headers), unknown);
  assert.equal((await get(path, { authorization: `Bearer ${await newToken({ id: first })}` })).status, 200);
});

test("an upgrade reaches the cluster, or is rejected before it if the session lacks the right", async () => {
  const exec = { namespace: "default", pod: "none", container: "c", command: ["true"] };
  const outcome = async (elevated: boolean) => {
    await using kube = clientOf(await newToken({ kubeconfig: { elevated } }));
    return Array.fromAsync(kube.exec(exec, signal));
  };
  await assert.rejects(outcome(true), { code: 404, message: /pods "none" not found/ });
  await assert.rejects(outcome(false), {
    code: 403,
    message: /User "system:aro-sre" cannot get resource "pods\/exec"/,
  });
});

test("besides the proxy there is its readiness", async () => {
  assert.equal((await get("/healthz/ready", {})).status, 200);
  assert.equal((await get("/", {})).status, 404);
});

test("a withdrawn portal is not ready, and serves until it stops", async () => {
  const token = await newToken();
  portal.withdraw();
  assert.equal((await get("/healthz/ready", {})).status, 500);
  const api = `${id}/kubeconfig/proxy/api`;
  assert.equal((await get(api, { authorization: `Bearer ${token}` })).status, 200);
});
