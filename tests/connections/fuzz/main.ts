/**
 * Searches for aborts of Node.js at both ends of TLS connections, for example `TLSWrap::DoWrite: Assertion !current_write_`. A
 * relay between an API server and a client randomly resets, pauses and closes connections, and kills both processes. Appends one
 * row per round. Exits with 1 if a process aborted without being killed.
 *
 *     node tests/connections/fuzz/main.ts [--minutes 15] [--seed N] [--rows FILE]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "./random.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "15" },
    seed: { type: "string", default: `${Date.now() % 1e6}` },
    rows: { type: "string", default: join(tmpdir(), "keelson-connection-fuzz.jsonl") },
  },
});
const endMs = performance.now() + Number(values.minutes) * 60_000;
const roundMs = 20_000;
let aborts = 0;

for (let seed = Number(values.seed); performance.now() < endMs; seed++) {
  const row = { node: process.versions.node, seed, ...(await playRound(seed)) };
  aborts += row.aborts.length;
  appendFileSync(values.rows, `${JSON.stringify(row)}\n`);
  console.log(JSON.stringify(row));
}
console.log(`${aborts} unexpected ends; rows are in ${values.rows}`);
process.exitCode = aborts > 0 ? 1 : 0;

/** Runs one server and one client and injects random faults into their connections. */
async function playRound(seed: number) {
  const random = new Random(seed);
  const aborts: string[] = [];
  const server = start("server.ts", [`${seed}`], aborts);
  const begun = await Promise.race([once(server.process, "message"), once(server.process, "close")]);
  const kubeconfig: string | undefined = Object(begun[0]).kubeconfig;
  if (kubeconfig === undefined) throw new Error(`the server did not start: ${aborts.join()}`);
  const port = Number(/https:\/\/[^\s"]*:(\d+)/.exec(kubeconfig)?.[1]);
  const relay = await startRelay(port, random);
  const relayed = kubeconfig.replaceAll(`:${port}`, `:${relay.port}`);
  let requests = 0;
  let failed = 0;
  let lateMs = 0;
  for (let remainingMs = roundMs; remainingMs > 0 && !server.hasEnded(); ) {
    const client = start("client.ts", [`${random.below(1e9)}`, relayed], aborts);
    let last = { ended: 0, failed: 0, lateMs: 0 };
    client.process.on("message", (counts) => {
      last = Object(counts);
    });
    // The time limits exclude the start of the client, which lasts longer than a round on a busy machine.
    await Promise.race([once(client.process, "message"), once(client.process, "close")]);
    const lifeMs = Math.min(remainingMs, 2_000 + random.below(8_000));
    await delay(lifeMs);
    remainingMs -= lifeMs;
    client.kill();
    requests += last.ended + last.failed;
    failed += last.failed;
    lateMs = Math.max(lateMs, last.lateMs);
  }
  server.kill();
  relay[Symbol.dispose]();
  return { connections: relay.connections(), requests, failed, lateMs, aborts };
}

function start(file: string, args: readonly string[], aborts: string[]) {
  const started: ChildProcess = fork(new URL(file, import.meta.url), args, {
    silent: true,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  let errors = "";
  let isKilled = false;
  started.stdout?.resume();
  started.stderr?.on("data", (bytes: Buffer) => {
    errors = (errors + bytes).slice(-4_000);
  });
  started.once("exit", (code, signal) => {
    if (!isKilled) aborts.push(`${file} ${signal ?? code}: ${errors}`);
  });
  return {
    process: started,
    hasEnded: () => started.exitCode !== null || started.signalCode !== null,
    kill: () => {
      isKilled = true;
      started.kill("SIGKILL");
    },
  };
}

/** Starts a relay that ends each connection after a random number of bytes. */
async function startRelay(serverPort: number, random: Random) {
  const open = new Set<Socket>();
  let count = 0;
  const relay = createServer((near) => {
    count++;
    const far = connect(serverPort, "127.0.0.1");
    for (const each of [near, far]) {
      open.add(each);
      each.on("error", () => undefined).once("close", () => open.delete(each));
    }
    let untilEvent = random.next() < 0.3 ? random.below(6_000) : random.below(2_000_000);
    const pass = (from: Socket, to: Socket) =>
      from.on("data", (bytes: Buffer) => {
        untilEvent -= bytes.length;
        if (untilEvent > 0) to.write(bytes);
        else {
          const part = bytes.subarray(0, random.below(bytes.length));
          to.write(part, () => endConnection(from, to));
          untilEvent = Number.POSITIVE_INFINITY;
        }
      });
    const endConnection = (from: Socket, to: Socket) => {
      const kind = random.below(5);
      if (kind === 0) to.resetAndDestroy();
      else if (kind === 1) from.resetAndDestroy();
      else if (kind === 2) for (const each of [from, to]) each.resetAndDestroy();
      else if (kind === 3) to.end();
      // Pauses one or both directions of the connection for a while.
      else for (const each of [from, to]) each.pause();
      setTimeout(() => {
        for (const each of [from, to]) each.destroy();
      }, random.below(3_000));
    };
    pass(near, far);
    pass(far, near);
    near.once("close", () => (random.next() < 0.5 ? far.resetAndDestroy() : far.end()));
    far.once("close", () => (random.next() < 0.5 ? near.resetAndDestroy() : near.end()));
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    port: (relay.address() as AddressInfo).port,
    connections: () => count,
    [Symbol.dispose]() {
      relay.close();
      for (const each of open) each.destroy();
    },
  };
}
