import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedResult } from "./shared-result.ts";
import { ManualClock } from "./testing/index.ts";

const { signal } = new AbortController();

test("concurrent and later callers share a result until it is too old", async () => {
  const clock = new ManualClock();
  const runs: PromiseWithResolvers<number>[] = [];
  const read = sharedResult({
    clock,
    maxAgeMs: 1_000,
    work() {
      const run = Promise.withResolvers<number>();
      runs.push(run);
      return run.promise;
    },
  });
  const stop = new AbortController();
  const first = read(signal);
  const aborted = assert.rejects(read(stop.signal), /enough/);
  stop.abort(new Error("enough"));
  await aborted;
  // A second call while `work` runs shares the result of this run.
  await clock.advance(5_000);
  const second = read(signal);
  assert.equal(runs.length, 1);
  runs[0]?.resolve(1);
  assert.deepEqual(await Promise.all([first, second]), [1, 1]);
  await clock.advance(999);
  assert.equal(await read(signal), 1);
  await clock.advance(1);
  const third = read(signal);
  assert.equal(runs.length, 2);
  runs[1]?.reject(new Error("down"));
  await assert.rejects(third, /down/);
  await assert.rejects(read(signal), /down/);
  assert.equal(runs.length, 2);
});
