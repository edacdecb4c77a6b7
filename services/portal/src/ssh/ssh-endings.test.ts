/**
 * Tests the end of connections by the client, by the master, and by network failures. The output must be stored, and no
 * connection may remain open.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectTcp, createServer, type Server, type Socket } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { elevate } from "@keelson/admin-actions";
import { systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { remove } from "@keelson/database";
import type { SshRecordingDocument } from "@keelson/model";
import { endSession, listSessions } from "@keelson/portal-sessions";
import type { Client, ClientChannel } from "ssh2";
import { SignOuts } from "../sign-in/sign-outs.ts";
import { CheckClock } from "../testing/check-clock.ts";
import { connectSsh, openShell, runSsh, SshSetup } from "../testing/ssh-setup.ts";
import { subscriptionId } from "../testing/store-cluster.ts";
import type { SshProxy } from "./ssh-proxy.ts";

const signal = AbortSignal.timeout(900_000);
let at: SshSetup;
let id: string;
before(async () => {
  at = await SshSetup.start();
});
beforeEach(async () => {
  id = await at.putCluster();
});
after(() => at?.[Symbol.asyncDispose]());

async function open(port: number): Promise<Client> {
  const client = await connectSsh({ port, username: "ada", password: await at.openPassword(id) });
  client.on("error", () => undefined);
  return client;
}

async function endedRecording(): Promise<SshRecordingDocument> {
  for (;;) {
    const [recording] = await at.recordingsOf(id);
    if (recording?.endedAt) return recording;
    await systemClock.sleep(10, signal);
  }
}

const untilGone = async () => {
  while (at.guests.size > 0) await systemClock.sleep(10, signal);
};

/** Opens a shell that has already printed output. */
async function shellOn(
  proxy: SshProxy,
  port = proxy.port,
): Promise<{ client: Client; shell: ClientChannel }> {
  const client = await open(port);
  const shell = await openShell(client);
  shell.on("error", () => undefined);
  shell.write("echo sh''own\r");
  assert.match(await untilShown(shell, /shown/), /shown/);
  return { client, shell };
}

/** Advances the clock by one second at a time until the promise resolves. */
async function advanceUntil<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  while (!isSettled) {
    await clock.advance(1_000);
    await systemClock.sleep(5, signal);
  }
  return settled;
}

/** Waits until the channel has printed the pattern. The channel stays open, whereas a `for await` loop would close it. */
function untilShown(channel: ClientChannel, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk;
      if (!pattern.test(text)) return;
      channel.off("data", read);
      resolve(text);
    };
    channel.on("data", read);
    channel.once("close", () => resolve(text));
  });
}

test("at a stop new ones are rejected, open ones are notified and continue, and the stop waits for them", async () => {
  const proxy = await at.startProxy({ drainMs: 60_000 });
  const { client, shell } = await shellOn(proxy);
  const said = untilShown(shell, /ends in 60 seconds/);
  let isStopped = false;
  const stopped = proxy[Symbol.asyncDispose]().then(() => {
    isStopped = true;
  });
  assert.match(await said, /The portal is stopping: this connection ends in 60 seconds/);
  await assert.rejects(open(proxy.port), /ECONNREFUSED/);
  await assert.rejects(runSsh(client, "true"));
  const more = untilShown(shell, /still here/);
  shell.write("echo still'' here\r");
  assert.match(await more, /still here/);
  assert.equal(isStopped, false);
  shell.write("exit\r");
  client.end();
  await stopped;
  const [recording] = await at.recordingsOf(id);
  assert.ok(recording?.endedAt);
  assert.match(recording.recording.reveal(), /this connection ends in 60 seconds.*still here/s);
  await untilGone();
});

test("a stop ends remaining ones, and resolves when their output is stored", async () => {
  const proxy = await at.startProxy({ drainMs: 200 });
  const { client } = await shellOn(proxy);
  const closed = once(client, "close");
  await proxy[Symbol.asyncDispose]();
  await closed;
  const [recording] = await at.recordingsOf(id);
  assert.ok(recording?.endedAt);
  assert.match(recording.recording.reveal(), /shown/);
  await untilGone();
});

test("a stop immediately ends connections without a channel or a password", async () => {
  const proxy = await at.startProxy({ drainMs: 60_000 });
  const client = await open(proxy.port);
  const idle = connectTcp(proxy.port, "127.0.0.1");
  await once(idle, "data");
  const closed = Promise.all([once(client, "close"), once(idle, "close")]);
  await proxy[Symbol.asyncDispose]();
  await closed;
});

/** Simulates a network between client and proxy. The network can stop without a signal, or reset the connection. */
class Network implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(to: number) {
    this.#server = createServer((near) => {
      const far = connectTcp(to, "127.0.0.1");
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => undefined);
        one.pipe(other);
      }
    });
  }

  async listen(): Promise<number> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return Object(this.#server.address()).port;
  }

  /** Stops forwarding in both directions without closing the connections. */
  goSilent(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

for (const how of ["goSilent", "reset"] as const)
  test(`a client with a broken network (${how}) is disconnected, also from the master, and its recording is stored`, async () => {
    await using proxy = await at.startProxy({ keepAliveMs: 40 });
    await using network = new Network(proxy.port);
    const { client } = await shellOn(proxy, await network.listen());
    network[how]();
    const recording = await endedRecording();
    assert.match(recording.recording.reveal(), /shown/);
    await untilGone();
    client.destroy();
  });

test("a master that disconnects ends the connection", async () => {
  await using proxy = await at.startProxy();
  const { client } = await shellOn(proxy);
  const closed = once(client, "close");
  for (const guest of at.guests) guest.destroy();
  await closed;
  await endedRecording();
});

test("a client that stops reading blocks neither the end of its connection nor that of its recording", async () => {
  const proxy = await at.startProxy({ drainMs: 100 });
  const { client, shell } = await shellOn(proxy);
  shell.pause();
  shell.write("yes 'a long line that fills every window' | head -c 20000000\r");
  await systemClock.sleep(300, signal);
  await proxy[Symbol.asyncDispose]();
  const [recording] = await at.recordingsOf(id);
  assert.ok(recording?.endedAt);
  client.destroy();
  await untilGone();
});

test("a connection without input and output ends, even with keep-alives", async () => {
  const clock = new ManualClock(new Date());
  await using proxy = await at.startProxy({ idleMs: 600_000, keepAliveMs: 20, clock });
  const { client, shell } = await shellOn(proxy);
  await clock.advance(590_000);
  const typed = untilShown(shell, /awake/);
  shell.write("echo a''wake\r");
  await typed;
  await clock.advance(590_000);
  const said = untilShown(shell, /this connection ends/);
  const closed = once(client, "close");
  // The clock advances until the message arrives. One advance may not suffice, because late output counts as activity, and sleeps
  // may start late on a busy machine.
  assert.match(
    await advanceUntil(clock, said),
    /Nothing was typed or shown for 10 minutes: this connection ends/,
  );
  await advanceUntil(clock, closed);
  await endedRecording();
});

/** Returns the session ID of the only connection to the cluster. */
async function sessionId(): Promise<string | undefined> {
  const [session] = await listSessions(at.database, { cluster: id }, signal);
  return session?.document.portal.ssh?.authenticated ? session.document.id : undefined;
}

const endings: readonly (readonly [name: string, end: () => Promise<unknown>])[] = [
  [
    "the end of its session",
    async () => endSession(at.database, (await sessionId()) ?? "", () => true, signal),
  ],
  [
    "the end of all sign-ins of its person, at a second portal",
    () => new SignOuts({ database: at.database, clock: systemClock }).endAllOf("ADA@example.com", signal),
  ],
  [
    "the deletion of its cluster",
    async () => {
      const { clusters } = at.database.collections;
      const stored = await clusters.findBy(subscriptionId, "key", id, signal);
      assert.ok(stored);
      await at.database.commit(subscriptionId, [remove(clusters, stored)], { signal });
    },
  ],
];
for (const [name, end] of endings)
  test(`a shell ends with ${name}, and its terminal shows why`, async () => {
    const clock = new ManualClock(new Date());
    await using proxy = await at.startProxy({ clock, idleMs: 1e9, longestMs: 1e9 });
    const { client, shell } = await shellOn(proxy);
    assert.ok(await sessionId());
    const said = untilShown(shell, /this connection ends/);
    let isClosed = false;
    client.once("close", () => {
      isClosed = true;
    });
    await end();
    // Several checks may be necessary on a busy machine, because each check has a time limit.
    for (; !isClosed; await systemClock.sleep(20, signal)) await clock.advance(5_000);
    assert.match(await said, /The session was ended: this connection ends/);
    await untilGone();
    await endedRecording();
  });

test("connections at every portal end within 15 seconds after their person's elevation expires", async () => {
  const clock = new CheckClock(new Date());
  const person = { subject: "tenant/ada", username: "ada@example.com", reason: "incident 7" };
  const renew = (minutes: number) =>
    elevate({ database: at.database, clock }, { ...person, minutes }, signal);
  const { from } = await renew(5);
  const elevation = { of: person.subject, from };
  const unlimited = { clock, idleMs: 1e9, longestMs: 1e9 };
  await using first = await at.startProxy(unlimited);
  await using second = await at.startProxy(unlimited);
  const untilMs = clock.now().getTime() + 9 * 60_000;
  let openConnections = 0;
  for (const { port } of [first, second]) {
    const password = await at.openPassword(id, 1, elevation);
    const client = await connectSsh({ port, username: "ada", password });
    client.on("error", () => undefined);
    openConnections += 1;
    client.once("close", () => {
      openConnections -= 1;
    });
  }
  const unused = await at.openPassword(id, 1, elevation);
  await clock.advance(4 * 60_000);
  await renew(5);
  // Waits for the checks of the first elevation, because they must not end after the next advance.
  await clock.advanceChecks(0, () => openConnections);
  await clock.assertEndAfter(untilMs, () => openConnections);
  await assert.rejects(connectSsh({ port: first.port, username: "ada", password: unused }));
  await untilGone();
});

test("a connection is listed as a session from the password to its end", async () => {
  await using proxy = await at.startProxy();
  const { client } = await shellOn(proxy);
  const session = await sessionId();
  assert.ok(session);
  const { portalSessions } = at.database.collections;
  const stored = await portalSessions.find(session, session, signal);
  // The lifetime consists of one hour for the connection and one minute for its end.
  assert.equal(stored?.document.ttlSeconds, 3_660);
  client.end();
  while (await portalSessions.find(session, session, signal)) await systemClock.sleep(10, signal);
});

test("a connection without a correct password is closed after 20 seconds, whether it speaks SSH or not", async () => {
  const clock = new ManualClock(new Date());
  await using proxy = await at.startProxy({ clock });
  const silent = connectTcp(proxy.port, "127.0.0.1");
  await once(silent, "data");
  const talking = connectTcp(proxy.port, "127.0.0.1");
  talking.on("error", () => undefined);
  talking.write("SSH-2.0-test\r\n");
  await once(talking, "data");
  await once(talking, "data");
  const closed = Promise.all([once(silent, "close"), once(talking, "close")]);
  await clock.advance(19_000);
  assert.deepEqual([silent.destroyed, talking.destroyed], [false, false]);
  await clock.advance(1_000);
  await closed;
});

test("connections without a password do not lock out a person, not even one at the same address", async () => {
  await using proxy = await at.startProxy();
  const flood = Array.from({ length: 120 }, () => {
    const socket = connectTcp({ port: proxy.port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    return socket.on("error", () => undefined).resume();
  });
  const isOver = () => flood.filter(({ destroyed }) => destroyed).length >= 20;
  while (!isOver()) await systemClock.sleep(5, signal);
  const away = await open(proxy.port);
  const near = await connectSsh({
    port: proxy.port,
    username: "ada",
    password: await at.openPassword(id),
    localAddress: "127.0.0.2",
  });
  for (const client of [away, near]) {
    assert.equal((await runSsh(client, "true")).code, 0);
    client.end();
  }
  for (const socket of flood) socket.destroy();
});

test("commands on a master end with their connection, also if they read no input", async () => {
  await using proxy = await at.startProxy();
  const client = await open(proxy.port);
  const running = runSsh(client, "sleep 3600").catch(() => undefined);
  while (at.sleeping === 0) await systemClock.sleep(10, signal);
  client.destroy();
  await running;
  while (at.sleeping > 0) await systemClock.sleep(10, signal);
  await untilGone();
});
