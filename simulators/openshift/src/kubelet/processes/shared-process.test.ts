import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { type Clock, silentLogger, systemClock } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import type { ProcessRunOptions } from "./process-run.ts";
import { SharedProcess, type SharedProcessState } from "./shared-process.ts";

/**
 * Script that prints its first argument and a variable. When stopped, it exits with 0. With the argument `late`, it exits 1.5 s
 * later. With `deaf`, it never exits.
 */
const script = `
  process.on("message", ({ kind, id, args, env }) => {
    if (kind === "start") {
      process.send({ kind: "output", id, text: args[0] + " " + env.NAME + "\\n" });
      words = { ...globalThis.words, [id]: args[0] };
    } else if (kind === "ping") process.send({ kind: "pong" });
    else if (words[id] !== "deaf")
      setTimeout(() => process.send({ kind: "ended", id, exitCode: 0 }), words[id] === "late" ? 1_500 : 0);
  });
  process.on("disconnect", () => process.exit());
`;
const args = ["-e", script];
const shared = () =>
  new SharedProcess({ command: process.execPath, args, silentMs: 1_000, logger: silentLogger });
const container = (word: string): ProcessRunOptions => ({
  command: process.execPath,
  args: [...args, word],
  env: {},
  environment: { NAME: `of ${word}` },
  directory: "/",
  clock: systemClock,
  stdin: false,
  hostPorts: new Map(),
});

test("containers share a process, and each has its log and its exit code", { timeout: 900_000 }, async () => {
  await using process = shared();
  const [one, two] = ["one", "two"].map((word) => process.run(container(word)));
  assert.ok(one && two);
  await eventually(() => {
    assert.equal(one.log.text(), "one of one\n");
    assert.equal(two.log.text(), "two of two\n");
  });
  one.stop(30_000);
  assert.deepEqual(await one.ended, { exitCode: 0, reason: "Completed" });
  assert.ok(!two.over.aborted);
});

test("a container that does not stop in time counts as terminated, and other containers continue", {
  timeout: 900_000,
}, async () => {
  await using process = shared();
  const run = process.run(container("deaf"));
  const other = process.run(container("other"));
  await eventually(() => assert.match(run.log.text(), /deaf/));
  const { pid } = process;
  run.stop(20);
  assert.deepEqual(await run.ended, { exitCode: 137, reason: "Error" });
  const next = process.run(container("next"));
  await eventually(() => assert.match(next.log.text(), /next/));
  assert.equal(process.pid, pid);
  assert.ok(!other.over.aborted);
});

test("a container that exceeds its grace period slightly is not killed because its process may be busy", {
  timeout: 900_000,
}, async () => {
  await using process = shared();
  const run = process.run(container("late"));
  const other = process.run(container("other"));
  await eventually(() => assert.match(run.log.text(), /late/));
  run.stop(1_000);
  assert.deepEqual(await run.ended, { exitCode: 0, reason: "Completed" });
  assert.ok(!other.over.aborted);
});

test("a suspended process is killed when one of its containers must stop, and its other containers terminate", {
  timeout: 900_000,
}, async () => {
  await using host = shared();
  const run = host.run(container("one"));
  const other = host.run(container("other"));
  await eventually(() => assert.match(run.log.text(), /one/));
  process.kill(host.pid ?? 0, "SIGSTOP");
  run.stop(20);
  assert.deepEqual(await run.ended, { exitCode: 137, reason: "Error" });
  assert.deepEqual(await other.ended, { exitCode: 137, reason: "Error" });
});

test("a process that cannot start reports the error to its containers, and the next container starts it again", {
  timeout: 900_000,
}, async () => {
  const missing = { command: "/nowhere/program", args: [], logger: silentLogger };
  await using host = new SharedProcess(missing);
  for (const word of ["one", "two"]) {
    const { exitCode } = await host.run({ ...container(word), args: [word] }).ended;
    assert.ok(exitCode !== 0);
  }
});

test("all containers terminate with their process, and the next container starts a new one", {
  timeout: 900_000,
}, async () => {
  await using host = shared();
  const first = host.run(container("one"));
  await eventually(() => assert.match(first.log.text(), /one/));
  const { pid = 0 } = host;
  process.kill(pid, "SIGKILL");
  assert.deepEqual(await first.ended, { exitCode: 137, reason: "Error" });
  const second = host.run(container("two"));
  await eventually(() => assert.match(second.log.text(), /two/));
  assert.notEqual(host.pid, pid);
});

test("a suspended process is reported as not responding and continues", {
  timeout: 900_000,
}, async () => {
  const states: SharedProcessState[] = [];
  const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) };
  const options = { command: process.execPath, args, clock, logger: silentLogger };
  await using host = new SharedProcess({ ...options, changed: (state) => states.push(state) });
  const run = host.run(container("one"));
  await eventually(() => assert.match(run.log.text(), /one/));
  const { pid = 0 } = host;
  process.kill(pid, "SIGSTOP");
  await eventually(() => assert.ok(states.at(-1)?.notRespondingSince));
  process.kill(pid, "SIGCONT");
  await eventually(() => assert.deepEqual(states.at(-1), { pid, notRespondingSince: undefined }));
  assert.ok(!run.over.aborted);
});
