import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import { after, before, beforeEach, test } from "node:test";
import { systemClock } from "@keelson/base";
import type { ClusterProperties } from "@keelson/model";
import { endSession, sessionIdOf } from "@keelson/portal-sessions";
import ssh2, { type Client, type ConnectConfig } from "ssh2";
import { openSessionOn } from "../testing/open-session-on.ts";
import { blobOf, connectSsh, openShell, runSsh as run, SshSetup } from "../testing/ssh-setup.ts";
import { sshAlgorithms } from "./algorithms.ts";
import { AttemptLimits } from "./attempt-limits.ts";
import { fingerprintOf } from "./host-key.ts";
import type { SshProxy } from "./ssh-proxy.ts";

const signal = AbortSignal.timeout(900_000);
let at: SshSetup;
let proxy: SshProxy;

before(async () => {
  at = await SshSetup.start();
  proxy = await at.startProxy();
});
beforeEach(() => {
  at.lines.length = 0;
  at.dialled.length = 0;
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await at?.[Symbol.asyncDispose]();
});

const putCluster = (change?: Partial<ClusterProperties>) => at.putCluster(change);
const openPassword = (id: string) => at.openPassword(id);
const connect = (config: ConnectConfig): Promise<Client> => connectSsh({ port: proxy.port, ...config });
const logged = () => at.logged();

test("a password opens one connection to the master that it was issued for", async () => {
  const id = await putCluster();
  const password = await openPassword(id);
  const client = await connect({ username: "ada", password });
  assert.deepEqual(await run(client, "echo $USER on $HOSTNAME; exit 3"), {
    code: 3,
    text: "core on master-1\n",
  });
  assert.deepEqual(at.dialled, ["10.9.8.7:2201"]);
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
  assert.ok(!at.lines.join("").includes(password));
});

test("of many concurrent connections with one password, one succeeds", async () => {
  const password = await openPassword(await putCluster());
  const attempts = await Promise.allSettled(
    Array.from({ length: 6 }, () => connect({ username: "ada", password })),
  );
  const accepted = attempts.filter((each) => each.status === "fulfilled");
  assert.equal(accepted.length, 1);
  for (const each of accepted) each.value.end();
});

test("an agent with only the cluster's key is forwarded, and opens connections to workers", async () => {
  const client = await connect({ username: "ada", password: await openPassword(await putCluster()) });
  const fingerprint = fingerprintOf(blobOf(at.clusterKey));
  const { code, text } = await run(client, "ssh-add -l");
  assert.equal(code, 0);
  assert.match(text, new RegExp(`^2048 ${fingerprint.replace(/[+/]/g, "\\$&")} .*\\(RSA\\)\n$`));
  const hop = await run(client, "ssh -o StrictHostKeyChecking=no core@worker-0 'echo on $HOSTNAME'");
  assert.deepEqual(hop, { code: 0, text: "on worker-0\n" });
  assert.equal((await run(client, "ssh nowhere true")).code, 255);
  client.end();
});

test("a terminal has its size, and its output is stored sealed, with person and master", async () => {
  const id = await putCluster();
  const client = await connect({ username: "ada", password: await openPassword(id) });
  const channel = await openShell(client);
  channel.setWindow(40, 120, 0, 0);
  channel.write("echo recorded text\r");
  channel.write("exit\r");
  const shown = Buffer.concat(await channel.toArray()).toString();
  assert.match(shown, /\[core@master-1 ~\]\$ /);
  client.end();
  const find = async () => (await at.recordingsOf(id))[0];
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

test("connections are forwarded through the master to addresses of the cluster", async () => {
  const client = await connect({ username: "ada", password: await openPassword(await putCluster()) });
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  client.forwardOut("127.0.0.1", 1, "worker-0", 22, (error, channel) =>
    error ? reject(error) : resolve(channel),
  );
  const worker = await connect({ sock: await promise, username: "core", privateKey: at.clusterKey });
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
  test(`no connection to a master that ${what}, and the client receives the reason`, async () => {
    const client = await connect({ username: "ada", password: await openPassword(await putCluster(change)) });
    const outcome = await run(client, "true");
    assert.equal(outcome.code, 255);
    assert.match(outcome.text, text);
    client.end();
  });

test("wrong users, wrong passwords and sessions of a different kind are rejected", async () => {
  const id = await putCluster();
  const password = await openPassword(id);
  const portal = { username: "ada@example.com", kubeconfig: { elevated: true } };
  const kubeconfig = await openSessionOn(at.database, id, { portal });
  for (const config of [
    { username: "eve", password },
    { username: "ada@example.com", password },
    { username: "ada", password: kubeconfig },
    { username: "ada", password: randomUUID() },
    { username: "ada", password: "" },
    { username: "ada", privateKey: at.clusterKey },
  ])
    await assert.rejects(connect(config));
  const reasons = logged().flatMap(({ reason }) => reason ?? []);
  assert.ok(reasons.includes("invalid username") && reasons.includes("invalid password"));
  // The unauthorized attempts have not consumed the password.
  (await connect({ username: "ada", password })).end();
});

test("a person who is identified by tenant and object connects with the object ID as user", async () => {
  const portal = { username: "tenant/object", ssh: { master: 1 } };
  const password = await openSessionOn(at.database, await putCluster(), { portal });
  for (const username of ["tenant/object", "tenant"])
    await assert.rejects(connect({ username, password }), /authentication methods failed/);
  (await connect({ username: "object", password })).end();
});

test("an expired or revoked password is rejected", async () => {
  const id = await putCluster();
  const portal = { username: "ada@example.com", ssh: { master: 1 } };
  const brief = await openSessionOn(at.database, id, { portal, ttlSeconds: 1 });
  const revoked = await openPassword(id);
  assert.equal(await endSession(at.database, sessionIdOf(revoked), () => true, signal), true);
  await systemClock.sleep(1_100, signal);
  for (const password of [brief, revoked])
    await assert.rejects(connect({ username: "ada", password }), /authentication methods failed/);
  assert.deepEqual(
    logged().flatMap(({ reason }) => reason ?? []),
    ["invalid password", "invalid password"],
  );
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
      // Each client needs its own copy of the lists.
      connect({ ...config, algorithms: JSON.parse(JSON.stringify(algorithms)) }),
      /Handshake failed: no matching/,
    );
  assert.match(JSON.stringify(sshAlgorithms(false)), /ssh-ed25519/);
  assert.doesNotMatch(JSON.stringify(sshAlgorithms(true)), /25519/);
});

test("a connection is cut at its limit", async () => {
  await using short = await at.startProxy({ longestMs: 300 });
  const client = await connect({
    port: short.port,
    username: "ada",
    password: await openPassword(await putCluster()),
  });
  await new Promise<void>((resolve) => client.once("close", () => resolve()));
});

test("the record of wrong passwords is bounded, and does not affect other persons", () => {
  const limits = new AttemptLimits(systemClock);
  for (let index = 0; index < 10_000; index++) {
    if (limits.allows("192.0.2.1")) limits.failed("192.0.2.1");
    limits.failed(`2001:db8:0:${index.toString(16)}::1`);
  }
  assert.equal(limits.allows("192.0.2.2"), true);
  assert.ok(limits.size <= 10_000);
});

test("wrong passwords lock out their source, not the named person", async () => {
  await using own = await at.startProxy();
  const wrong = (localAddress: string) =>
    new Promise<void>((resolve) => {
      const sock = connectTcp({ host: "127.0.0.1", port: own.port, localAddress });
      const client = new ssh2.Client();
      client.on("error", () => undefined).once("close", () => resolve());
      const password = { type: "password", username: "ada" } as const;
      client.connect({
        sock,
        username: "ada",
        authHandler: (_left, _partial, next) => next({ ...password, password: randomUUID() }),
      });
    });
  for (const network of [1, 2, 3, 4, 5])
    await Promise.all(Array.from({ length: 8 }, () => wrong(`127.0.1.${network}`)));
  const password = await openPassword(await putCluster());
  const client = await connect({ port: own.port, username: "ada", password });
  client.end();
});

test("input that is not SSH has no effect", async () => {
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
  const client = await connect({ username: "ada", password: await openPassword(await putCluster()) });
  client.end();
});
