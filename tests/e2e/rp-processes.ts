import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { ArmClient } from "./support/arm-client.ts";
import type { Fleet, Provider } from "./support/fleet.ts";
import { Program } from "./support/program.ts";
import { startProvider } from "./support/service-process.ts";

const name = "shared";
/** The service throttles the creation of this cluster. */
const throttled = "throttled";
/** Clusters that the tests create or try to create. */
export const processClusters = [name, throttled];
const apiVersion = "api-version=2025-07-25";
const settings = {
  leaseMs: 5_000,
  heartbeatMs: 500,
  operationsPerSubscription: { running: 1, queued: 0 },
  requestLimits: { writes: { burst: 1_000, perSecond: 1 } },
};
const stack = new AsyncDisposableStack();
let fleet: Fleet;
let databaseUrl: string;
let provider: Provider;
let metricsUrl: string;

/** Starts a resource provider with two processes. */
function startProcesses(): Promise<Provider> {
  const config = fleet.state.file("processes.json");
  const changed = { ...JSON.parse(readFileSync(fleet.state.file("service.json"), "utf8")), ...settings };
  writeFileSync(config, JSON.stringify(changed), { mode: 0o600 });
  return startProvider(stack, {
    config,
    flags: ["--database", databaseUrl, "--processes", "2"],
    endpoints: fleet.state.file("endpoints.json"),
  });
}

/** Returns the IDs of the processes that share the port, in start order. */
function workers(): readonly number[] {
  const { pid } = provider.program.child;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

async function metricLines(pattern: RegExp): Promise<readonly string[]> {
  const response = await request(metricsUrl);
  return (await response.body.text()).split("\n").filter((line) => pattern.test(line));
}

async function until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 240_000; !(await isDone()); await delay(50))
    assert.ok(performance.now() < deadline, `${what}: ${provider.program.stderr.slice(-4_000)}`);
}

const allServe = async () =>
  (await metricLines(/^rp_process_serving\{/)).join("\n") ===
  'rp_process_serving{process="1"} 1\nrp_process_serving{process="2"} 1';

/**
 * Tests `keelson rp --processes 2`. Both processes share the port, the metrics and the queue. Each is restarted after an exit. Uses
 * a separate database on the fleet's PostgreSQL server.
 */
export function testRpProcesses(fleetOf: () => Fleet): void {
  before(async () => {
    fleet = fleetOf();
    databaseUrl = await fleet.postgres.createDatabase();
    provider = await startProcesses();
    ({ metrics: metricsUrl } = JSON.parse(provider.program.stdout));
  });
  after(() => stack[Symbol.asyncDispose]());

  test("an embedded database is refused", async () => {
    const config = fleet.state.file("service.json");
    const { code, stderr } = await Program.run("rp", "--config", config, "--processes", "2");
    assert.deepEqual([code, /--processes 2 needs a database.*--processes 1/.test(stderr)], [2, true], stderr);
  });

  test("KEELSON_PROCESSES, which the image sets, has the same effect as the flag", async () => {
    const config = fleet.state.file("service.json");
    const run = (value: string) => [
      "env",
      `KEELSON_PROCESSES=${value}`,
      "./keelson",
      "rp",
      "--config",
      config,
    ];
    for (const [value, message] of [
      ["2", /--processes 2 needs a database/],
      ["none", /'none' from env 'KEELSON_PROCESSES' is invalid. expected 1 to 64, or auto/],
    ] as const) {
      const [command = "", ...args] = run(value);
      await using program = Program.startCommand(command, ...args);
      assert.equal(await program.exited(AbortSignal.timeout(240_000)), 2, program.stderr);
      assert.match(program.stderr, message);
    }
  });

  test("new connections go to both, and the metrics are the sum", async () => {
    assert.equal(workers().length, 2);
    assert.ok(await allServe());
    const route =
      /^frontend_request_duration_seconds_count\{verb="GET",route="\/subscriptions\/:subscriptionId\/providers/;
    const clients = Array.from(
      { length: 4 },
      () => new ArmClient(fleet.state.file("endpoints.json"), provider.client.rp),
    );
    try {
      const { subscriptionId } = provider.client;
      const path = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?${apiVersion}`;
      for (let round = 0; round < 5; round++)
        for (const { status } of await Promise.all(clients.map((each) => each.call("GET", path))))
          assert.equal(status, 200);
      const [count, ...others] = await metricLines(route);
      assert.deepEqual(others, []);
      assert.match(count ?? "", / 20$/);
    } finally {
      for (const each of clients) await each[Symbol.asyncDispose]();
    }
  });

  test("a write on one process is read from the other, and counts for the limit of the subscription", async () => {
    await using other = new ArmClient(fleet.state.file("endpoints.json"), provider.client.rp);
    const body = await other.clusterRequest(throttled);
    await provider.client.createCluster(name);
    const refused = await other.call("PUT", `${other.cluster(throttled)}?${apiVersion}`, body);
    assert.deepEqual([refused.status, refused.body.error.code], [429, "OperationsThrottled"]);
    assert.match(String(refused.headers["x-ms-ratelimit-remaining-subscription-writes"]), /^9\d\d$/);
    const { status } = await other.call("GET", `${other.cluster(name)}?${apiVersion}`);
    assert.equal(status, 200);
  });

  test("the service stays available while a killed process starts again, and an operation resumes", async () => {
    // The previous test starts this installation. It starts here if this test runs alone.
    const { status } = await provider.client.call("GET", `${provider.client.cluster(name)}?${apiVersion}`);
    if (status === 404) await provider.client.createCluster(name);
    for (const at of [0, 1]) {
      const killed = workers()[at];
      assert.ok(killed);
      process.kill(killed, "SIGKILL");
      await until("a new process", () => workers().length === 2 && !workers().includes(killed));
      await until("both serve", allServe);
      await using client = new ArmClient(fleet.state.file("endpoints.json"), provider.client.rp);
      assert.equal((await client.call("GET", `${client.cluster(name)}?${apiVersion}`)).status, 200);
    }
    assert.equal(await provider.client.terminal(name), "Succeeded");
  });

  test("SIGTERM drains all processes", async () => {
    const ended = workers();
    assert.equal(await provider.program.signal("SIGTERM"), 0, provider.program.stderr.slice(-4_000));
    for (const pid of ended) assert.equal(existsSync(`/proc/${pid}`), false);
  });

  test("the processes end with the one that started them", async () => {
    provider = await startProcesses();
    const orphans = workers();
    await provider.program.signal("SIGKILL");
    for (const pid of orphans) await until("the end of an orphan", () => !existsSync(`/proc/${pid}`));
  });
}
