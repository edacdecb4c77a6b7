import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { poll } from "./poll.ts";
import { ManualClock } from "./testing/manual-clock.ts";

test("poll calls its action after each interval, reports errors and continues, and ends with the signal", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const errors: unknown[] = [];
  let calls = 0;
  const polling = poll(
    { everyMs: 10, clock, signal: stop.signal, onError: (error) => errors.push(error) },
    async () => {
      if (++calls === 2) throw new Error("second");
    },
  );
  assert.equal(calls, 0);
  for (let each = 1; each <= 3; each++) {
    await clock.advance(10);
    await turn();
    assert.equal(calls, each);
  }
  assert.deepEqual(errors.map(String), ["Error: second"]);
  stop.abort();
  await polling;
  assert.equal(calls, 3);
});

test("poll does not report the error of a call that the signal interrupted", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const errors: unknown[] = [];
  const polling = poll(
    { everyMs: 10, clock, signal: stop.signal, onError: (error) => errors.push(error) },
    () => {
      stop.abort();
      throw new Error("interrupted");
    },
  );
  await clock.advance(10);
  await polling;
  assert.deepEqual(errors, []);
});
