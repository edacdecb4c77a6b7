import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { Progress } from "./progress.ts";

function record(isTTY = false) {
  const clock = new ManualClock();
  const written: string[] = [];
  const output = { isTTY, columns: 30, write: (text: string) => written.push(text) };
  return { clock, written, progress: new Progress({ output, clock }) };
}

test("a wait repeats its line every five seconds until the next report", async () => {
  const { clock, written, progress } = record();
  progress.update("demo waits for a worker");
  progress.update("demo waits for a worker");
  await clock.advance(11_000);
  progress.update("demo 1/3 network");
  await clock.advance(4_000);
  progress.say("demo Succeeded");
  await clock.advance(60_000);
  assert.deepEqual(written, [
    "   0.0 s  demo waits for a worker\n",
    "   5.0 s  demo waits for a worker\n",
    "  10.0 s  demo waits for a worker\n",
    "  11.0 s  demo 1/3 network\n",
    "  15.0 s  demo Succeeded\n",
  ]);
  assert.equal(clock.sleeping, 0);
});

test("a terminal has one line, at most as wide as it is", async () => {
  const { clock, written, progress } = record(true);
  progress.update("a step with a very long name");
  await clock.advance(5_000);
  progress[Symbol.dispose]();
  await clock.advance(60_000);
  assert.deepEqual(written, [
    "\r\x1b[K   0.0 s  a step with a very ",
    "\r\x1b[K   5.0 s  a step with a very ",
    "\n",
  ]);
});
