import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  initialLiveState,
  type LiveInput,
  type LiveState,
  longestDelayMs,
  nextLiveState,
} from "./live-state.ts";

const run = (inputs: readonly LiveInput[]): LiveState => inputs.reduce(nextLiveState, initialLiveState);
const lost: LiveInput = { type: "lost", random: 1 };
const due: LiveInput = { type: "due" };

test("an open connection is live, and reconnects after a loss", () => {
  assert.deepEqual(run([{ type: "opened" }]), { mode: "live" });
  assert.deepEqual(run([{ type: "opened" }, lost, due]), { mode: "connecting", failures: 1 });
});

test("each failure doubles the delay up to half a minute, and a live connection starts at the minimum", () => {
  const waits = Array.from({ length: 9 }, (_, count) => {
    const state = run([...Array.from({ length: count }, () => [lost, due]).flat(), lost]);
    return state.mode === "waiting" ? state.delayMs : undefined;
  });
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  assert.deepEqual(run([lost, due, lost, due, { type: "opened" }, lost]), {
    mode: "waiting",
    failures: 1,
    delayMs: 500,
  });
});

test("delays are bounded and the end is final for every sequence of events", () => {
  const input: fc.Arbitrary<LiveInput> = fc.oneof(
    fc.record({ type: fc.constantFrom("opened" as const, "due" as const, "signedOut" as const) }),
    fc.record({ type: fc.constant("lost" as const), random: fc.double({ min: 0, max: 1, noNaN: true }) }),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
      let state = initialLiveState;
      for (const each of inputs) {
        const before = state;
        state = nextLiveState(state, each);
        if (before.mode === "ended") assert.equal(state, before);
        if (state.mode === "waiting")
          assert.ok(state.delayMs >= 250 && state.delayMs <= longestDelayMs, String(state.delayMs));
      }
    }),
  );
});
