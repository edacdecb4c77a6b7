import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";
import { ManualClock } from "@keelson/base/testing";
import { limitNewSpace } from "./new-space-limit.ts";

const megabyte = 1024 * 1024;

test("the space for new objects stops growing at half of its limit and grows again after it has shrunk", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const factors: number[] = [];
  let size = 2 * megabyte;
  const running = limitNewSpace({
    newSpaceSize: () => size,
    setGrowthFactor: (factor) => factors.push(factor),
    maxBytes: 16 * megabyte,
    clock,
    signal: stop.signal,
  });
  await clock.advance(10_000);
  assert.deepEqual(factors, []);
  size = 9 * megabyte;
  await clock.advance(10_000);
  assert.deepEqual(factors, [1], "a further doubling would exceed the limit");
  size = 2 * megabyte;
  await clock.advance(10_000);
  assert.deepEqual(factors, [1, 2]);
  stop.abort();
  await running;
});

test("V8 does not enlarge the space for new objects beyond the limit although objects survive", async () => {
  // The script runs in a separate process, because the flag applies to the complete process.
  const script = `
    import { limitNewSpace, newSpaceSize } from ${JSON.stringify(new URL("new-space-limit.ts", import.meta.url).href)};
    import { setFlagsFromString } from "node:v8";
    const stop = new AbortController();
    const settings = {
      newSpaceSize,
      setGrowthFactor: (factor) => setFlagsFromString("--semi-space-growth-factor=" + factor),
      maxBytes: 8 * 1024 * 1024,
      clock: { sleep: () => new Promise((resolve) => setImmediate(resolve)) },
      signal: stop.signal,
    };
    if (process.argv[1] === "limited") void limitNewSpace(settings);
    const ring = new Array(30_000);
    let largest = 0;
    for (let at = 0; at < 1_500_000; at++) {
      ring[at % ring.length] = { at, name: "object" + at };
      if (at % 500 === 0) {
        largest = Math.max(largest, newSpaceSize());
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    stop.abort();
    console.log(largest, ring.length);`;
  const largest = async (mode: string) => {
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script, mode]);
    return Number.parseInt((await run).stdout, 10);
  };
  // The size includes both halves of the space. V8 copies the surviving objects into the second half during a collection.
  assert.ok((await largest("limited")) <= 16 * megabyte);
  assert.ok((await largest("unlimited")) > 16 * megabyte);
});
