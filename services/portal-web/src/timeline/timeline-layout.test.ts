import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationView } from "@keelson/portal-api";
import fc from "fast-check";
import { timeTicks } from "./time-ticks.ts";
import { outcomeOf, timelineLayout, waitedMs, withRetries } from "./timeline-layout.ts";

const time = (ms: number) => new Date(ms).toISOString();
const operation = (steps: OperationView["steps"], endMs?: number): OperationView => ({
  id: "1",
  kind: "Creating",
  state: endMs === undefined ? "Creating" : "Succeeded",
  startTime: time(1_000),
  currentSteps: [],
  steps,
  ...(endMs === undefined ? {} : { endTime: time(endMs) }),
});

test("bars lie where their steps were, the running one grows until now", () => {
  const { lengthMs, bars } = timelineLayout(
    operation([
      { name: "a", startedAt: time(2_000), endedAt: time(5_000), attempts: 1, outcome: "succeeded" },
      { name: "b", startedAt: time(4_000), attempts: 2, outcome: "running" },
    ]),
    11_000,
  );
  assert.equal(lengthMs, 10_000);
  assert.deepEqual(
    bars.map((bar) => [bar.name, bar.fromMs, bar.lengthMs]),
    [
      ["a", 1_000, 3_000],
      ["b", 3_000, 7_000],
    ],
  );
});

test("a completed operation does not depend on the time of the browser", () => {
  const ended = operation([{ name: "a", startedAt: time(2_000), attempts: 1, outcome: "running" }], 6_000);
  assert.deepEqual(timelineLayout(ended, 10_000), timelineLayout(ended, 99_000));
});

test("every bar is within the chart for all clock differences", () => {
  const at = fc.integer({ min: 0, max: 100_000 });
  const step = fc.record({ start: at, end: fc.option(at, { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step), fc.option(at, { nil: undefined }), at, (steps, end, now) => {
      const { lengthMs, bars, waits } = timelineLayout(
        operation(
          steps.map(({ start, end: to }, index) => ({
            name: String(index),
            startedAt: time(start),
            attempts: 1,
            outcome: "running",
            ...(to === undefined ? {} : { endedAt: time(to) }),
          })),
          end,
        ),
        now,
      );
      assert.ok(lengthMs >= 1);
      assert.ok(waits.every((wait) => wait.fromMs >= 0 && wait.fromMs + wait.lengthMs <= lengthMs));
      for (const bar of bars) {
        assert.ok(bar.fromMs >= 0 && bar.lengthMs >= 0);
        assert.ok(bar.fromMs + bar.lengthMs <= lengthMs || lengthMs === 1);
      }
    }),
  );
});

const step = (startMs: number, endMs?: number) => ({
  ...{ name: `${startMs}`, startedAt: time(startMs), attempts: 1, outcome: "running" as const },
  ...(endMs === undefined ? {} : { endedAt: time(endMs) }),
});

test("waits are the times in which no step runs: in the queue and between steps", () => {
  const { waits } = timelineLayout(
    operation(
      [step(11_000, 20_000), step(12_000, 15_000), step(20_500, 30_000), step(40_000, 50_000)],
      60_000,
    ),
    99_000,
  );
  assert.deepEqual(waits, [
    { fromMs: 0, lengthMs: 10_000 },
    { fromMs: 29_000, lengthMs: 10_000 },
  ]);
  assert.equal(waitedMs(waits), 20_000);
});

test("a running operation without a running step waits until now", () => {
  assert.deepEqual(timelineLayout(operation([]), 6_000).waits, [{ fromMs: 0, lengthMs: 5_000 }]);
  assert.deepEqual(timelineLayout(operation([step(1_000, 2_000)]), 6_000).waits, [
    { fromMs: 1_000, lengthMs: 4_000 },
  ]);
  assert.deepEqual(timelineLayout(operation([step(1_000)]), 6_000).waits, []);
});

test("ticks are round, few and within the picture", () => {
  assert.deepEqual(timeTicks(40_000, 5), [0, 10_000, 20_000, 30_000, 40_000]);
  assert.deepEqual(timeTicks(95 * 60_000, 4), [0, 1_800_000, 3_600_000, 5_400_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 11 }), fc.integer({ min: 1, max: 12 }), (length, most) => {
      const ticks = timeTicks(length, most);
      assert.ok(ticks.length >= 1 && ticks.length <= most + 1);
      assert.ok(ticks.every((tick) => tick <= length));
    }),
  );
});

test("a step's outcome names its attempt where it took more than one", () => {
  assert.equal(outcomeOf({ outcome: "succeeded", attempts: 1 }), "succeeded");
  assert.equal(outcomeOf({ outcome: "running", attempts: 3 }), "runs, attempt 3");
});

test("the attempts of a step include the retries in its log lines", () => {
  const step = (name: string, attempts: number) =>
    ({ name, startedAt: time(2_000), attempts, outcome: "succeeded" }) as const;
  const retry = { at: time(2_500), level: "warning", message: "again", attempt: 1 } as const;
  const steps = [{ name: "b", omitted: 0, entries: [retry, { ...retry, attempt: 2 }] }];
  const stored = operation([step("a", 1), step("b", 1), step("c", 4)], 9_000);
  const attempts = (view: OperationView) => view.steps.map((each) => each.attempts);
  assert.deepEqual(attempts(withRetries(stored, { steps })), [1, 3, 4]);
  assert.deepEqual(attempts(withRetries(stored, undefined)), [1, 1, 4]);
});
