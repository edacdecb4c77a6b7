/**
 * Stops `keelson up` during installations, with Ctrl-C and with SIGTERM, and starts it again. Then kills its components and its
 * supervisor.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ArmClient } from "./support/arm-client.ts";
import { Program, StateDirectory } from "./support/program.ts";
import { WorldClient } from "./support/world-client.ts";

interface Component {
  readonly component: string;
  readonly process?: number;
  readonly since: string;
  readonly restarts: number;
  readonly state: string;
}

/** Waits without a time limit because a restart can be slow on a busy machine. */
async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(100);
  }
}

/** Updates a separate subscription repeatedly until the service stops. Returns the response statuses. */
async function statusesUntilStopped(client: ArmClient): Promise<readonly number[]> {
  const statuses: number[] = [];
  const path = `/subscriptions/${randomUUID()}?api-version=2.0`;
  try {
    for (;;) statuses.push((await client.call("PUT", path, { state: "Registered" })).status);
  } catch {
    return statuses;
  }
}

describe("stops, restarts and crashes of `keelson up`", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--subnets-for", "drained"];
  let program: Program | undefined;

  const start = async (): Promise<Program> => {
    program = Program.start("up", ...flags);
    await program.says(/endpoints/);
    return program;
  };
  /** Returns the program that the previous test left running. Starts it if a test runs alone. */
  const running = async () => (program?.running ? program : await start());
  const status = async (): Promise<{ state: string; components: readonly Component[] }> =>
    JSON.parse((await Program.run("status", "--state", state.path, "-o", "json")).stdout);
  /** Returns the status of a component in the state directory. A run of `keelson status` uses 0.3 s CPU time. */
  const componentOf = (name: string) => {
    const { components }: { components: readonly Component[] } = JSON.parse(
      readFileSync(state.file("components.json"), "utf8"),
    );
    return components.find(({ component }) => component === name);
  };
  const createGroup = async (name: string) => {
    await using world = new WorldClient(state.path);
    const group = `/subscriptions/${world.endpoints.subscriptionId}/resourceGroups/${name}`;
    await world.azure("PUT", group, "2021-04-01", { location: "eastus" });
  };

  after(async () => {
    await program?.[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  test("Ctrl-C during the creation of the first cluster drains, and the next start completes it", async () => {
    await using first = Program.start("up", ...flags);
    while (!/demo Creating +\d\d%/.test(first.stderr)) {
      assert.ok(first.running, first.stderr);
      await delay(20);
    }
    assert.equal(await first.signal("SIGINT"), 130);
    assert.match(first.stderr, /stopping: .*Ctrl-C again/);
    const second = await start();
    assert.match(second.stdout, /demo\.kubeconfig/);
    assert.match(second.stderr, /demo Creating +\d+% +\d+\/\d+ +\w[\s\S]*cluster demo Succeeded/);
  });

  test("SIGTERM lets running steps complete, releases the cluster, and the next start resumes it at the same endpoints", async () => {
    const first = await running();
    const endpoints = readFileSync(state.file("endpoints.json"), "utf8");
    await using client = new ArmClient(state.file("endpoints.json"));
    await client.registerSubscription();
    const created = await client.createCluster("drained");
    const url = String(created.headers["azure-asyncoperation"]);
    let completed = 0;
    while (completed < 10) {
      completed = (await client.progress(url)).properties?.completedSteps ?? 0;
      await delay(20);
    }
    const writers = Array.from({ length: 8 }, () => statusesUntilStopped(client));
    assert.equal(await first.signal("SIGTERM"), 0, first.stderr);
    const statuses = (await Promise.all(writers)).flat();
    assert.deepEqual(
      statuses.filter((status) => status >= 400 && status !== 503),
      [],
      "a stop is no error of the client",
    );
    await start();
    assert.equal(readFileSync(state.file("endpoints.json"), "utf8"), endpoints);
    const earlier = await client.call("GET", `${client.cluster("demo")}?api-version=2025-07-25`);
    assert.equal(earlier.body?.properties.provisioningState, "Succeeded", earlier.text);
    const resumed = await client.progress(url);
    assert.ok(
      resumed.status === "Succeeded" || resumed.properties.completedSteps >= completed,
      JSON.stringify(resumed),
    );
    assert.equal((await client.settle(url)).status, "Succeeded");
  });

  for (const name of ["azure", "clusters", "service"])
    test(`${name} is restarted after SIGKILL while the others keep their processes`, async () => {
      await running();
      const endpoints = readFileSync(state.file("endpoints.json"), "utf8");
      const earlier = (await status()).components;
      const { process: pid = 0 } = earlier.find(({ component }) => component === name) ?? {};
      process.kill(pid, "SIGKILL");
      await until(async () => {
        const found = componentOf(name);
        return found?.state === "serving" && found.restarts === 1 ? found : undefined;
      });
      const later = (await status()).components;
      const pidIn = (components: readonly Component[], wanted: string) =>
        components.find(({ component }) => component === wanted)?.process;
      assert.deepEqual(
        later.map(({ component }) => component),
        earlier.map(({ component }) => component),
      );
      assert.notEqual(pidIn(later, name), pid);
      for (const other of earlier.filter(({ component }) => component !== name))
        assert.equal(pidIn(later, other.component), other.process, other.component);
      assert.equal(readFileSync(state.file("endpoints.json"), "utf8"), endpoints);
      await createGroup(`after-${name}`);
    });

  test("after the supervisor's SIGKILL all components exit, doctor reports the crash, and `up` takes over", async () => {
    const killed = await running();
    const { components } = await status();
    await killed.signal("SIGKILL");
    for (const { process: pid = 0 } of components)
      await until(async () => (existsSync(`/proc/${pid}/cmdline`) ? undefined : true));
    assert.equal((await status()).state, "crashed");
    const doctor = await Program.run("doctor", "--state", state.path);
    assert.match(doctor.stdout, /warning components: the last run \(process \d+, .*exited without stopping/);
    await start();
    assert.equal((await status()).state, "running");
    await using world = new WorldClient(state.path);
    const groups = await world.azure(
      "GET",
      `/subscriptions/${world.endpoints.subscriptionId}/resourcegroups`,
      "2021-04-01",
    );
    const names = groups.value.map(({ name }: { name: string }) => name);
    for (const name of ["azure", "clusters", "service"]) assert.ok(names.includes(`after-${name}`), name);
  });

  test("a signal to all processes stops the components, the service first", async () => {
    const stopped = await running();
    // Service managers send SIGTERM to all processes of a unit. Terminals send SIGINT.
    for (const { process: pid } of (await status()).components) if (pid) process.kill(pid, "SIGTERM");
    assert.equal(await stopped.signal("SIGINT"), 0);
    const { state: run, components } = await status();
    assert.equal(run, "stopped");
    assert.deepEqual(
      components.toSorted((a, b) => a.since.localeCompare(b.since)).map(({ component }) => component),
      ["service", "clusters", "azure"],
    );
  });
});
