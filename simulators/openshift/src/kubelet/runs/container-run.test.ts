import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { ContainerFiles } from "../containers/container-files.ts";
import type { Program } from "../containers/program.ts";
import { simulatedRun } from "./container-run.ts";

test("background jobs of a program stop when the program ends, and the exit code remains", async () => {
  const stopped = Promise.withResolvers<unknown>();
  const program: Program = async ({ signal }) => {
    signal.addEventListener("abort", () => stopped.resolve(signal.reason), { once: true });
    return 3;
  };
  const files = new ContainerFiles("/nonexistent", []);
  const run = simulatedRun({
    words: [],
    program,
    env: {},
    files,
    clock: systemClock,
    stdin: false,
    tty: false,
  });
  assert.deepEqual(await run.ended, { exitCode: 3, reason: "Error" });
  assert.equal(await stopped.promise, "SIGKILL");
});
