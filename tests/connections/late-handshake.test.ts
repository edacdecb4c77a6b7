/**
 * Tests HTTP/2 servers with TLS handshakes that end after their time limit. A server that writes to the TLS socket of such a
 * handshake aborts its process: `TLSWrap::DoWrite: Assertion !current_write_`.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, createServer } from "node:net";
import { after, before, test } from "node:test";

const servers = ["API server", "HTTPS listener", "web server of the ARM API"] as const;

let child: Awaited<ReturnType<typeof startServers>>;
before(async () => {
  child = await startServers();
  for (const port of child.ports) assert.equal(await statusOf(port), 200);
  child.process.send("limit handshakes");
});
after(() => child[Symbol.asyncDispose]());

for (const [index, name] of servers.entries())
  test(`${name}: a TLS handshake that the client completes after its time limit ends only its own connection`, async () => {
    const port = child.ports[index] ?? 0;
    await using relay = await startHoldingRelay(port);
    const session = connectHttp2(`https://127.0.0.1:${relay.port}`, { rejectUnauthorized: false });
    session.on("error", () => undefined);
    assert.equal(await child.message(), "expired");
    relay.release();
    await relay.closed;
    session.destroy();
    // The expired limit of the next connection proves that the process still runs.
    const next = connect(port, "127.0.0.1").on("error", () => undefined);
    assert.equal(await child.message(), "expired");
    next.destroy();
  });

/** Starts the servers in a child process. */
async function startServers() {
  const started: ChildProcess = fork(new URL("late-handshake-server.ts", import.meta.url), {
    silent: true,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  let output = "";
  for (const each of [started.stdout, started.stderr])
    each?.on("data", (bytes: Buffer) => {
      output = (output + bytes).slice(-4_000);
    });
  const closed = once(started, "close");
  const received: unknown[] = [];
  let notify: (() => void) | undefined;
  started.on("message", (message) => {
    received.push(message);
    notify?.();
  });
  const message = async (): Promise<unknown> => {
    const arrived = new Promise<void>((resolve) => {
      notify = resolve;
    });
    if (received.length === 0) await Promise.race([arrived, closed]);
    if (received.length === 0)
      assert.fail(`the servers ended (${started.signalCode ?? started.exitCode}): ${output}`);
    return received.shift();
  };
  const ports = await message();
  assert.ok(Array.isArray(ports));
  return {
    process: started,
    ports: ports.map(Number),
    message,
    async [Symbol.asyncDispose]() {
      started.kill("SIGKILL");
      await closed;
    },
  };
}

/** Starts a relay that holds back all messages of the client after the first, until its release. */
async function startHoldingRelay(serverPort: number) {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const relay = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    for (const each of [client, server]) each.on("error", () => undefined);
    server.once("close", () => {
      client.destroy();
      close();
    });
    client.once("close", () => server.destroy());
    client.once("data", (hello: Buffer) => {
      server.write(hello);
      client.on("data", (bytes: Buffer) => void released.then(() => server.write(bytes)));
    });
    server.on("data", (bytes: Buffer) => client.write(bytes));
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    port: (relay.address() as AddressInfo).port,
    closed,
    release,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}

async function statusOf(port: number): Promise<unknown> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const [headers] = await once(session.request({ ":path": "/healthz" }), "response");
  session.destroy();
  return headers[":status"];
}
