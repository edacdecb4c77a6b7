import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { after, before, beforeEach, test } from "node:test";
import { createLogger, Secret, silentLogger, systemClock } from "@keelson/base";
import { newCluster, openStore } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import {
  type ClusterDocument,
  type ClusterProperties,
  clusterKeys,
  type ServiceDatabase,
} from "@keelson/model";
import { openSession } from "@keelson/portal-sessions";
import { connectionPair, serveNodeSsh } from "@keelson/sim-openshift/testing";
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from "ssh2";
import { sshAlgorithms } from "./algorithms.ts";
import { AttemptLimits } from "./attempt-limits.ts";
import { fingerprintOf } from "./host-key.ts";
import { type SshProxy, startSshProxy } from "./ssh-proxy.ts";

const signal = AbortSignal.timeout(120_000);
const subscription = "33333333-3333-4333-8333-333333333333";
const ecKey = () =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  }).privateKey;
const clusterKey = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
}).privateKey;
const hostKeys = { "master-1": ecKey(), "worker-0": ecKey() } as const;
type NodeName = keyof typeof hostKeys;

let database: ServiceDatabase;
let folder: string;
let proxy: SshProxy;
let lines: string[] = [];
let dialled: string[] = [];
const guests = new Set<Duplex>();

function blobOf(privateKeyPem: string): Buffer {
  const key = ssh2.utils.parseKey(privateKeyPem);
  assert.ok(!(key instanceof Error));
  return key.getPublicSSH();
}

function serveNode(node: NodeName): Duplex {
  const [client, server] = connectionPair();
  guests.add(client);
  serveNodeSsh(server, {
    node,
    hostKey: hostKeys[node],
    folder: join(folder, node),
    authorizedKeys: async () => [`ssh-rsa ${blobOf(clusterKey).toString("base64")}`],
    neighbour: (address, port) => (address === "worker-0" && port === 22 ? serveNode("worker-0") : undefined),
    clock: systemClock,
    logger: silentLogger,
  });
  return client;
}

async function startProxy(longestMs = 60_000): Promise<SshProxy> {
  return startSshProxy({
    database,
    host: "127.0.0.1",
    port: 0,
    hostKey: new Secret(ecKey()),
    fips: true,
    longestMs,
    dial: async (address, port) => {
      dialled.push(`${address}:${port}`);
      return serveNode("master-1");
    },
    clock: systemClock,
    logger: createLogger({ level: "info", destination: { write: (line: string) => void lines.push(line) } }),
  });
}

before(async () => {
  database = await openStore();
  folder = await mkdtemp(join(tmpdir(), "keelson-ssh-"));
  proxy = await startProxy();
});
beforeEach(() => {
  lines = [];
  dialled = [];
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  for (const guest of guests) guest.destroy();
  await database?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function putCluster(change: Partial<ClusterProperties> = {}): Promise<string> {
  const base = newCluster({
    name: `c-${randomUUID().slice(0, 8)}`,
    subscriptionId: subscription,
    state: "Succeeded",
  });
  const properties = {
    ...base.properties,
    networkProfile: { ...base.properties.networkProfile, privateEndpointIp: "10.9.8.7" },
    sshKey: new Secret(clusterKey),
    masterHostKeys: [
      { master: 1, vmName: "master-1", fingerprints: [fingerprintOf(blobOf(hostKeys["master-1"]))] },
    ],
    ...change,
  };
  const openShiftCluster = { ...base, properties };
  const keys = clusterKeys(openShiftCluster);
  const document: ClusterDocument = {
    ...keys,
    id: randomUUID(),
    partitionKey: subscription,
    bucket: 0,
    openShiftCluster,
  };
  const write = create(database.collections.clusters, document);
  assert.equal((await database.commit(subscription, [write], { signal })).kind, "committed");
  return keys.key;
}

const openPassword = (id: string, master = 1) =>
  openSession(
    database,
    { portal: { username: "ada@example.com", id, ssh: { master } }, ttlSeconds: 60 },
    { clock: systemClock, signal },
  );

async function connect(config: ConnectConfig): Promise<Client> {
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.once("ready", () => resolve());
  client.on("error", reject);
  client.once("close", () => reject(new Error("closed")));
  client.connect({ host: "127.0.0.1", port: proxy.port, ...config });
  await promise;
  return client;
}

async function run(
  client: Client,
  command: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
  const ended = Promise.withResolvers<number | null>();
  client.exec(command, (error, channel) => {
    if (error) {
      reject(error);
      return;
    }
    // Its end may be in the same packets.
    channel.on("exit", (code: number | null) => ended.resolve(code));
    channel.once("close", () => ended.resolve(null));
    resolve(channel);
  });
  const channel = await promise;
  const [out, err] = await Promise.all([channel.toArray(), channel.stderr.toArray()]);
  return { code: await ended.promise, text: Buffer.concat([...out, ...err]).toString() };
}

const logged = () => lines.map((line) => JSON.parse(line));

test("a password leads to the master it was given for, once", async () => {
  const id = await putCluster();
  const password = await openPassword(id);
  const client = await connect({ username: "ada", password });
  assert.deepEqual(await run(client, "echo $USER on $HOSTNAME; exit 3"), {
    code: 3,
    text: "core on master-1\n",
  });
  assert.deepEqual(dialled, ["10.9.8.7:2201"]);
  await assert.rejects(connect({ username: "ada", password }), /authentication methods failed/);
  client.end();
  const messages = logged().map(({ msg }) => msg);
  for (const expected of [
    "SSH authentication succeeded",
    "SSH connected",
    "SSH channel opened",
    "SSH authentication failed",
  ])
    assert.ok(messages.includes(expected), expected);
  assert.equal(logged().find(({ msg }) => msg === "SSH authentication failed").reason, "used before");
  assert.ok(!lines.join("").includes(password));
});

test("of many who use one password at once, one gets in", async () => {
  const password = await openPassword(await putCluster());
  const attempts = await Promise.allSettled(
    Array.from({ length: 6 }, () => connect({ username: "ada", password })),
  );
  const accepted = attempts.filter((each) => each.status === "fulfilled");
  assert.equal(accepted.length, 1);
  for (const each of accepted) each.value.end();
});

test("an agent with the cluster's key alone is there, and leads on to workers", async () => {
  const client = await connect({ username: "ada", password: await openPassword(await putCluster()) });
  const fingerprint = fingerprintOf(blobOf(clusterKey));
  const { code, text } = await run(client, "ssh-add -l");
  assert.equal(code, 0);
  assert.match(text, new RegExp(`^2048 ${fingerprint.replace(/[+/]/g, "\\$&")} .*\\(RSA\\)\n$`));
  const hop = await run(client, "ssh -o StrictHostKeyChecking=no core@worker-0 'echo on $HOSTNAME'");
  assert.deepEqual(hop, { code: 0, text: "on worker-0\n" });
  assert.equal((await run(client, "ssh nowhere true")).code, 255);
  client.end();
});

test("a terminal has its size, and what it showed is kept sealed, with who and where", async () => {
  const id = await putCluster();
  const client = await connect({ username: "ada", password: await openPassword(id) });
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
  client.shell({ cols: 100, rows: 30, term: "xterm" }, (error, channel) =>
    error ? reject(error) : resolve(channel),
  );
  const channel = await promise;
  channel.setWindow(40, 120, 0, 0);
  channel.write("echo recorded text\r");
  channel.write("exit\r");
  const shown = Buffer.concat(await channel.toArray()).toString();
  assert.match(shown, /\[core@master-1 ~\]\$ /);
  client.end();
  const find = async () => {
    const { items } = await database.collections.sshRecordings.list(
      { where: { clusterKey: id }, limit: 5 },
      signal,
    );
    return items[0]?.document;
  };
  let document = await find();
  while (!document?.endedAt) {
    await systemClock.sleep(10, signal);
    document = await find();
  }
  assert.deepEqual(
    [document.username, document.master, document.kind, document.truncated],
    ["ada@example.com", 1, "shell", false],
  );
  const [header, ...events] = document.recording
    .reveal()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual([header.version, header.width, header.height], [2, 100, 30]);
  assert.ok(events.some(([, kind, data]) => kind === "r" && data === "120x40"));
  const output = events
    .filter(([, kind]) => kind === "o")
    .map(([, , data]) => data)
    .join("");
  assert.match(output, /recorded text/);
});

test("connections go on through the master to addresses of the cluster", async () => {
  const client = await connect({ username: "ada", password: await openPassword(await putCluster()) });
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  client.forwardOut("127.0.0.1", 1, "worker-0", 22, (error, channel) =>
    error ? reject(error) : resolve(channel),
  );
  const worker = await connect({ sock: await promise, username: "core", privateKey: clusterKey });
  assert.deepEqual(await run(worker, "echo $HOSTNAME"), { code: 0, text: "worker-0\n" });
  worker.end();
  client.forwardOut("127.0.0.1", 1, "elsewhere", 80, (error) => assert.ok(error));
  client.end();
});

const unreachable: readonly (readonly [what: string, change: Partial<ClusterProperties>, text: RegExp])[] = [
  [
    "has another host key than was recorded",
    { masterHostKeys: [{ master: 1, vmName: "m", fingerprints: [`SHA256:${"A".repeat(43)}`] }] },
    /none of those recorded/,
  ],
  ["has no recorded host key", { masterHostKeys: [] }, /no host keys are recorded for master 1/],
];
for (const [what, change, text] of unreachable)
  test(`a master that ${what} is not connected to, and the client reads why`, async () => {
    const client = await connect({ username: "ada", password: await openPassword(await putCluster(change)) });
    const outcome = await run(client, "true");
    assert.equal(outcome.code, 255);
    assert.match(outcome.text, text);
    client.end();
  });

test("wrong users, wrong passwords and sessions of another kind do not get in", async () => {
  const id = await putCluster();
  const password = await openPassword(id);
  const kubeconfig = await openSession(
    database,
    { portal: { username: "ada@example.com", id, kubeconfig: { elevated: true } }, ttlSeconds: 60 },
    { clock: systemClock, signal },
  );
  for (const config of [
    { username: "eve", password },
    { username: "ada@example.com", password },
    { username: "ada", password: kubeconfig },
    { username: "ada", password: randomUUID() },
    { username: "ada", password: "" },
    { username: "ada", privateKey: clusterKey },
  ])
    await assert.rejects(connect(config));
  const reasons = logged().flatMap(({ reason }) => reason ?? []);
  assert.ok(reasons.includes("invalid username") && reasons.includes("invalid password"));
  // It was not used up by those who had no right to it.
  (await connect({ username: "ada", password })).end();
});

test("only algorithms of FIPS are negotiated", async () => {
  const config = { username: "ada", password: randomUUID() };
  for (const algorithms of [
    { kex: ["curve25519-sha256"] },
    { cipher: ["aes256-gcm@openssh.com"] },
    { hmac: ["hmac-sha1"] },
    { serverHostKey: ["ssh-ed25519"] },
  ] as const)
    await assert.rejects(
      // The lists of a client are its own.
      connect({ ...config, algorithms: JSON.parse(JSON.stringify(algorithms)) }),
      /Handshake failed: no matching/,
    );
  assert.match(JSON.stringify(sshAlgorithms(false)), /ssh-ed25519/);
  assert.doesNotMatch(JSON.stringify(sshAlgorithms(true)), /25519/);
});

test("a connection is cut at its limit", async () => {
  await using short = await startProxy(300);
  const client = await connect({
    port: short.port,
    username: "ada",
    password: await openPassword(await putCluster()),
  });
  await new Promise<void>((resolve) => client.once("close", () => resolve()));
});

test("10,000 wrong passwords: few are looked up, none gets in, and the next person does", async () => {
  await using server = await startProxy();
  let wrong = 0;
  const attempt = async () => {
    const client = new ssh2.Client();
    await new Promise<void>((resolve) => {
      client.on("error", () => undefined);
      client.once("ready", () => assert.fail("it got in"));
      client.once("close", () => resolve());
      client.connect({
        host: "127.0.0.1",
        port: server.port,
        username: "mallory",
        authHandler: (_left, _partial, next) => {
          wrong++;
          next({ type: "password", username: "mallory", password: randomUUID() });
        },
      });
    });
  };
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (wrong < 200) await attempt();
    }),
  );
  const lookedUp = logged().filter(({ reason }) => reason === "invalid password").length;
  assert.ok(lookedUp < 60, `${lookedUp}`);
  const limits = new AttemptLimits(systemClock);
  for (let index = 0; index < 10_000; index++) {
    if (limits.allows("192.0.2.1", "mallory")) limits.failed("192.0.2.1", "mallory");
    limits.failed(`2001:db8::${index.toString(16)}`, `user-${index}`);
  }
  assert.equal(limits.allows("192.0.2.1", "ada"), true);
  assert.ok(limits.size <= 10_000);
});

test("what is no SSH does no harm", async () => {
  for (const bytes of [
    "GET / HTTP/1.1\r\n\r\n",
    "SSH-2.0-x\r\n\u0000\u0000\u0000\u0001",
    Buffer.alloc(70_000, 65),
  ]) {
    const socket = connectTcp(proxy.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.end(bytes);
    socket.resume();
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  }
  const client = await connect({ username: "ada", password: await openPassword(await putCluster(), 1) });
  client.end();
});
