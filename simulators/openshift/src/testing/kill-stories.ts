import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../base/resources.ts";
import { assertComplete, assertPoolsUpdated, installed } from "./installed-cluster.ts";
import { TestWorld } from "./installed-world.ts";

/**
 * Kills the simulation `pauseMs` milliseconds after the start of an installation. Asserts that a second process completes the
 * installation without additional machines.
 */
export async function completesInstallAfterKill(pauseMs: number): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "sim-openshift-"));
  const storage = { kind: "file", path: join(folder.path, "clusters.db") } as const;
  await using world = await TestWorld.start({
    storage,
    timings: { operatorIntervalMs: 10 },
    asleep: true,
  });
  await runAndKill(world, folder.path, pauseMs, () => world.install());
  await world.wake();
  await eventually(() => assertComplete(world.client, 3));
  assert.equal((await world.machineNames()).length, 7);
}

/**
 * Kills the simulation `pauseMs` milliseconds after the start of an update. Asserts that a second process completes the update
 * and that the cluster keeps its machines.
 */
export async function completesUpdateAfterKill(pauseMs: number): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "sim-openshift-"));
  const storage = { kind: "file", path: join(folder.path, "clusters.db") } as const;
  const timings = { operatorIntervalMs: 5, rebootMs: 60 };
  await using world = await installed({ storage, timings, workers: 2 });
  const machines = await world.machineNames();
  const desiredUpdate = { version: "4.20.3" };
  await world.client.mergePatch(resources.clusterVersions, { name: "version" }, { spec: { desiredUpdate } });
  await world.sleep();
  await runAndKill(world, folder.path, pauseMs, async () => undefined);
  await world.wake();
  await eventually(async () => {
    await assertComplete(world.client, 2);
    await assertPoolsUpdated(world.client);
    const version = await world.client.get(resources.clusterVersions, { name: "version" });
    assert.equal(stringAt(version, "status", "history", 0, "version"), "4.20.3");
    assert.equal(stringAt(version, "status", "history", 0, "state"), "Completed");
    for (const node of (await world.client.list(resources.nodes)).items) {
      assert.equal(stringAt(node, "status", "nodeInfo", "kubeletVersion"), "v1.33.9");
      assert.equal(valueAt(node, "spec", "unschedulable"), undefined);
    }
  });
  assert.deepEqual(await world.machineNames(), machines);
}

/**
 * Runs the simulation in a child process and kills it after `pauseMs` milliseconds. `directory` is the parent of the process's
 * temporary files.
 */
async function runAndKill(
  world: TestWorld,
  directory: string,
  pauseMs: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const script = join(import.meta.dirname, "victim.ts");
  const victim = spawn(process.execPath, [script, JSON.stringify(world.simulation)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: directory },
  });
  const exited = once(victim, "exit");
  await once(victim.stdout, "data");
  const acting = meanwhile();
  await delay(pauseMs);
  victim.kill("SIGKILL");
  await exited;
  await acting;
}
