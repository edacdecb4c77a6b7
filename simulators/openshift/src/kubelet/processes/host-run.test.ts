import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { ContainerRun } from "../runs/container-run.ts";
import { hostRun } from "./host-run.ts";

const directory = tmpdir();
const limit = AbortSignal.timeout(900_000);
const shell =
  (script: string, ...args: readonly string[]) =>
  async () => ["/bin/sh", "-c", script, "sh", ...args];

/** Collects the output of a run. */
function outputOf(run: ContainerRun) {
  let text = "";
  run.listen((_stream, chunk) => (text += chunk.toString()));
  return {
    async until(part: string) {
      while (!text.includes(part)) await systemClock.sleep(10, limit);
    },
    get text() {
      return text;
    },
  };
}

test("a program without output for its limit is stopped, and output extends the limit", async () => {
  await using own = await mkdtempDisposable(join(tmpdir(), "host-run-"));
  const go = join(own.path, "go");
  const clock = new ManualClock();
  const script = 'sleep 0.2; echo first; while [ ! -e "$1" ]; do sleep 0.05; done; echo second; sleep 1000';
  const run = await hostRun(shell(script, go), { directory, clock, silentMs: 60_000 });
  const output = outputOf(run);
  await output.until("first");
  await clock.advance(50_000);
  await writeFile(go, "");
  await output.until("second");
  await clock.advance(50_000);
  assert.ok(!run.over.aborted);
  await clock.advance(20_000);
  assert.deepEqual(await run.ended, { exitCode: 137, reason: "Error", message: "no output for 60000 ms" });
  assert.match(output.text, /keelson: the program is stopped: no output for 60000 ms/);
});

test("a program with too much output is stopped", async () => {
  const run = await hostRun(shell("while :; do echo 0123456789; done"), {
    directory,
    clock: systemClock,
    maxOutputBytes: 100_000,
  });
  const { exitCode, message } = await run.ended;
  assert.deepEqual([exitCode, message], [137, "more than 100000 bytes of output"]);
});

test("a stop terminates the program and its children", async () => {
  const run = await hostRun(shell("sleep 0.1; (sleep 1000; echo child) & echo started; wait"), {
    directory,
    clock: systemClock,
  });
  await outputOf(run).until("started");
  run.stop(60_000);
  assert.equal((await run.ended).exitCode, 143);
});

test("a run ends with the exit code of the program", async () => {
  const run = await hostRun(shell("exit 7"), { directory, clock: systemClock });
  assert.deepEqual(await run.ended, { exitCode: 7, reason: "Error" });
});

test("a command line that cannot be prepared ends the run", async () => {
  const failing = async () => {
    throw new Error("no namespace");
  };
  const run = await hostRun(failing, { directory, clock: systemClock });
  assert.deepEqual(await run.ended, { exitCode: 128, reason: "StartError", message: "no namespace" });
});
