import assert from "node:assert/strict";
import { test } from "node:test";
import { threadCpuMs } from "@keelson/base";
import { withRegex } from "./match-text.ts";
import { CostExceeded, Meter } from "./meter.ts";

test("only CPU time increases the cost of a match", () => {
  const busyMachine = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  assert.equal(withRegex("a+", "aaa", new Meter(1_000_000), busyMachine), "timed-out");
  const slowMatch = () => {
    for (const until = threadCpuMs() + 300; threadCpuMs() < until; );
  };
  assert.throws(() => withRegex("a+", "aaa", new Meter(1_000_000), slowMatch), CostExceeded);
});
