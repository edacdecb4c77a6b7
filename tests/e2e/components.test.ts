import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
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

describe("components of `keelson up`", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;

  const start = async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--no-cluster");
    await program.says(/endpoints/);
  };
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

  before(start);
  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  for (const name of ["azure", "clusters", "service"])
    test(`${name} is restarted after SIGKILL while the others keep their processes`, async () => {
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
    const { components } = await status();
    await program.signal("SIGKILL");
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
    // Service managers send SIGTERM to all processes of a unit. Terminals send SIGINT.
    for (const { process: pid } of (await status()).components) if (pid) process.kill(pid, "SIGTERM");
    assert.equal(await program.signal("SIGINT"), 0);
    const { state: run, components } = await status();
    assert.equal(run, "stopped");
    assert.deepEqual(
      components.toSorted((a, b) => a.since.localeCompare(b.since)).map(({ component }) => component),
      ["service", "clusters", "azure"],
    );
  });
});
