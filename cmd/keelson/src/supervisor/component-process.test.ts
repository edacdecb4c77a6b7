import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Clock, silentLogger, spawnBound, systemClock } from "@keelson/base";
import { ComponentProcess } from "./component-process.ts";

const script = fileURLToPath(new URL("testing/scripted-component.ts", import.meta.url));

/** Clock on which a wait takes a hundredth of the requested time. */
const fastClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) };

/** Starts a component, which stops at the end of the test. `expect` waits until the component's status matches. */
async function componentIn(mode: "serve" | "fail" | "exit", dependency = Promise.resolve()) {
  const directory = await mkdtempDisposable(join(tmpdir(), "keelson-component-"));
  const waiting = new Set<() => void>();
  const reports: string[] = [];
  const component: ComponentProcess = new ComponentProcess({
    name: "azure",
    log: "azure.log",
    spawn: () =>
      spawnBound(process.execPath, [script, "azure", mode], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
    settings: {
      directory: directory.path,
      subnetsFor: [],
      operators: "none",
      unknownPrograms: "exit0",
      runImages: [],
      runImagesFor: [],
      without: [],
      logLevel: "silent",
    },
    dependency: () => dependency,
    report: (text) => reports.push(text),
    changed: () => {
      for (const check of waiting) check();
    },
    clock: fastClock,
    logger: silentLogger,
  });
  const expect = (matches: (status: ComponentProcess["status"]) => boolean) =>
    new Promise<ComponentProcess["status"]>((resolve) => {
      const check = () => {
        if (!matches(component.status)) return;
        waiting.delete(check);
        resolve(component.status);
      };
      waiting.add(check);
      check();
    });
  return {
    component,
    reports,
    expect,
    async [Symbol.asyncDispose]() {
      await component.stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test("a component that is killed is restarted, and stops when it is asked to", async () => {
  await using run = await componentIn("serve");
  await run.component.firstServing;
  const { process: first = 0 } = run.component.status;
  process.kill(first, "SIGKILL");
  const status = await run.expect(({ state, restarts }) => state === "serving" && restarts === 1);
  assert.notEqual(status.process, first);
  assert.equal(status.reason, "exited with SIGKILL");
  const opened = "opened the state directory";
  assert.deepEqual(run.reports, [
    opened,
    "azure exited with SIGKILL, restarting",
    opened,
    "azure serves again",
  ]);
  await run.component.stop();
  assert.equal(run.component.status.state, "stopped");
  assert.equal(run.component.status.process, undefined);
});

test("a component that exits five times stays down, and its status has the reason", async () => {
  await using run = await componentIn("exit");
  const { reason, restarts } = await run.expect(({ state }) => state === "down");
  assert.equal(reason, "5 exits within 10 minutes, the last: exited with code 7");
  assert.equal(restarts, 4);
});

test("waiting for a component ends when it serves, or stays down with its reason", async () => {
  const { signal } = new AbortController();
  await using run = await componentIn("serve");
  assert.equal((await run.component.settled(signal)).state, "serving");
  await run.component.hold();
  const settled = run.component.settled(signal);
  run.component.release();
  assert.equal((await settled).state, "serving");
  await using failing = await componentIn("fail");
  failing.component.firstServing.catch(() => undefined);
  const { state, reason } = await failing.component.settled(signal);
  assert.equal(state, "down");
  assert.ok(reason);
});

test("a component that never served is not restarted: its failure is that of the start", async () => {
  await using run = await componentIn("fail");
  await assert.rejects(run.component.firstServing, { code: "NotRunning", message: /^Error: no space left/ });
  assert.equal(run.component.status.restarts, 0);
});

test("a suspended component is shown as not responding and keeps its process", async () => {
  await using run = await componentIn("serve");
  await run.component.firstServing;
  const { process: pid = 0 } = run.component.status;
  process.kill(pid, "SIGSTOP");
  await run.expect(({ notRespondingSince }) => notRespondingSince !== undefined);
  process.kill(pid, "SIGCONT");
  const status = await run.expect(({ notRespondingSince }) => notRespondingSince === undefined);
  assert.deepEqual([status.process, status.restarts, status.state], [pid, 0, "serving"]);
});

test("a held component has no process until its release, and then runs in the prepared one", async () => {
  await using run = await componentIn("serve");
  await run.component.firstServing;
  const { process: first = 0 } = run.component.status;
  await run.component.prepare("/other");
  await run.component.hold();
  assert.deepEqual([run.component.status.state, run.component.status.process], ["restarting", undefined]);
  run.reports.length = 0;
  run.component.release("/other");
  const status = await run.expect(({ state }) => state === "serving");
  assert.notEqual(status.process, first);
  assert.equal(status.restarts, 0, "a requested start is no restart");
  assert.deepEqual(run.reports, ["opened /other"], "the prepared process opens its files once");
  process.kill(status.process ?? 0, "SIGKILL");
  await run.expect(({ state, restarts }) => state === "serving" && restarts === 1);
  assert.ok(run.reports.includes("opened the state directory"), "a later start uses the state directory");
});

test("a prepared process is used only for its world, and a discarded one not at all", async () => {
  await using run = await componentIn("serve");
  await run.component.firstServing;
  for (const [prepared, discarded] of [
    ["/other", false],
    ["/wanted", true],
  ] as const) {
    await run.component.prepare(prepared);
    if (discarded) await run.component.discard();
    await run.component.hold();
    run.reports.length = 0;
    run.component.release("/wanted");
    await run.expect(({ state }) => state === "serving");
    assert.deepEqual(run.reports, ["opened /wanted"]);
  }
});

test("a component opens its files while it waits for its dependencies, and serves afterwards", async () => {
  const dependency = Promise.withResolvers<void>();
  await using run = await componentIn("serve", dependency.promise);
  while (run.reports.length === 0) await delay(5);
  assert.deepEqual([run.reports, run.component.status.state], [["opened the state directory"], "waiting"]);
  dependency.resolve();
  await run.component.firstServing;
});

test("a component that is stopped while it is held stays stopped", async () => {
  await using run = await componentIn("serve");
  await run.component.firstServing;
  await run.component.prepare("/other");
  await run.component.hold();
  await run.component.stop();
  assert.deepEqual([run.component.status.state, run.component.status.process], ["stopped", undefined]);
});
