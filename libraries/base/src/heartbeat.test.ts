import assert from "node:assert/strict";
import { test } from "node:test";
import { Heartbeat } from "./heartbeat.ts";
import { ManualClock } from "./testing/manual-clock.ts";

function heartbeat(t: { after(run: () => void): void }) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const clock = new ManualClock(new Date("2026-01-01T00:00:00Z"));
  const state = { pings: 0, isRunning: true, responds: false, changes: 0 };
  const beat: Heartbeat = new Heartbeat({
    ping: () => {
      if (!state.isRunning) return false;
      state.pings++;
      if (state.responds) setImmediate(() => beat.received());
      return true;
    },
    changed: () => state.changes++,
    clock,
    signal: stop.signal,
  });
  /**
   * Advances the clock in steps of 10 s. After each step, waits until the event loop has run a few times, because the heartbeat
   * first reads pending responses.
   */
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= 10_000) {
      await clock.advance(10_000);
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { beat, state, advance };
}

test("a process that responds is never shown as not responding", async (t) => {
  const { beat, state, advance } = heartbeat(t);
  state.responds = true;
  await advance(100_000);
  assert.deepEqual([state.pings, state.changes, beat.notRespondingSince], [10, 0, undefined]);
});

test("a process without a response is shown since its first request, until it responds", async (t) => {
  const { beat, state, advance } = heartbeat(t);
  await advance(40_000);
  assert.equal(beat.notRespondingSince?.toISOString(), "2026-01-01T00:00:10.000Z");
  assert.equal(state.changes, 1);
  beat.received();
  assert.deepEqual([state.changes, beat.notRespondingSince], [2, undefined]);
});

test("requests end with the process, and its successor begins again", async (t) => {
  const { beat, state, advance } = heartbeat(t);
  await advance(20_000);
  assert.ok(beat.notRespondingSince);
  state.isRunning = false;
  beat.reset();
  await advance(40_000);
  assert.deepEqual([beat.notRespondingSince, state.pings], [undefined, 2]);
});
