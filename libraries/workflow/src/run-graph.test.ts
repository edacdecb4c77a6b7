import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Clock, isCoded, silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { remove } from "@keelson/database";
import fc from "fast-check";
import type { StepScope } from "./execute-step.ts";
import { type ActionSpec, condition, type Graph, graph, step } from "./graph.ts";
import { Journal } from "./journal.ts";
import type { LeaseGuard } from "./lease-guard.ts";
import { retry, stop } from "./retry-policy.ts";
import { runGraph } from "./run-graph.ts";
import { StepTimeoutError } from "./step-timeout-error.ts";
import { journalStoreOf, type OrderDatabase, type OrderEntry, type OrderRef } from "./testing/documents.ts";
import { hurriedClock } from "./testing/hurried-clock.ts";
import { guardOf } from "./testing/lease-guard.ts";
import { acquireOrder, openStore, putOrder, signal } from "./testing/store.ts";

class Transient extends Error {}

let database: OrderDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

interface RunSettings {
  readonly abandon?: AbortSignal;
  readonly draining?: AbortSignal;
  readonly clock?: Clock;
  readonly plan?: readonly Graph<AbortSignal>[];
}

/** Runs `steps` with one worker. The context of each step is its signal. */
async function run(
  operation: OrderRef,
  guard: LeaseGuard,
  steps: Graph<AbortSignal>,
  {
    abandon = signal,
    draining = new AbortController().signal,
    clock = hurriedClock(),
    plan,
  }: RunSettings = {},
): Promise<"completed" | "drained"> {
  const journal = await new Journal(journalStoreOf(database, operation), { guard, clock }).load(signal);
  return runGraph({
    graph: steps,
    plan: plan ?? [steps],
    journal,
    guard,
    clock,
    logger: silentLogger,
    signal: abandon,
    draining,
    context: (scope) => scope.signal,
    retryPolicy: (error) => (error instanceof Transient ? retry : stop),
  });
}

async function entriesOf({ partitionKey, operationId }: OrderRef): Promise<Map<string, OrderEntry>> {
  const page = await database.collections.entries.list(
    { partitionKey, where: { operationId }, limit: 100 },
    signal,
  );
  return new Map(page.items.map(({ document }) => [document.step, document]));
}

async function progressOf({ partitionKey, operationId }: OrderRef) {
  const found = await database.collections.operations.find(partitionKey, operationId, signal);
  assert.ok(found);
  return found.document.progress;
}

/** Stores and acquires an order, and passes it to `use`. Then completes and releases the order. */
async function withOperation(
  use: (operation: OrderRef, guard: ReturnType<typeof guardOf>) => Promise<void>,
): Promise<void> {
  const operation = await putOrder(database);
  const leased = await acquireOrder(database, "worker");
  await use(operation, guardOf(leased));
  const { orders } = database.collections;
  const stored = await orders.find(operation.partitionKey, leased.document.id, signal);
  assert.ok(stored);
  await database.commit(operation.partitionKey, [remove(orders, stored)], { signal });
}

const plannedSteps = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(6), { maxLength: 3 }),
      failures: fc.nat(2),
      ticks: fc.nat(3),
      waits: fc.boolean(),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .map((steps) =>
    steps.map((each, index) => ({ ...each, needs: each.needs.filter((need) => need < index) })),
  );

describe("a graph that is run again after every crash", () => {
  test("runs each step to its end, in order, and never again once it is finished", async () => {
    const crashes = fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(plannedSteps, crashes, (planned, crashPoints) =>
        withOperation(async (operation, guard) => {
          const ended = new Set<string>();
          const known = new Set<string>();
          const starts = new Map<string, number>();
          let untilCrash = Number.POSITIVE_INFINITY;
          let crash = new AbortController();
          const event = () => {
            untilCrash -= 1;
            if (untilCrash <= 0) crash.abort("crashed");
          };
          const steps = planned.map(({ needs, failures, ticks, waits }, index) => {
            const name = `s${index}`;
            const names = [...new Set(needs)].map((need) => `s${need}`);
            let failuresLeft = failures;
            const work = async (aborted: AbortSignal) => {
              event();
              assert.ok(!known.has(name), `${name} ran although it was finished`);
              for (const need of names) assert.ok(ended.has(need), `${name} ran before ${need}`);
              for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
              aborted.throwIfAborted();
              if (failuresLeft-- > 0) throw new Transient(`${name} fails`);
              ended.add(name);
              event();
            };
            starts.set(name, 0);
            return waits
              ? {
                  ...condition<AbortSignal>({ name, until: async (it) => work(it).then(() => true) }),
                  needs: names,
                }
              : { ...step<AbortSignal>({ name, run: work }), needs: names };
          });
          const whole: Graph<AbortSignal> = { name: "random", steps };
          let runs = 0;
          for (const point of [...crashPoints, Number.POSITIVE_INFINITY]) {
            untilCrash = point;
            crash = new AbortController();
            runs += 1;
            try {
              assert.equal(await run(operation, guard, whole, { abandon: crash.signal }), "completed");
            } catch (error) {
              assert.ok(isCoded(error, "RunInterrupted"), String(error));
            }
            for (const [name, entry] of await entriesOf(operation)) {
              if (entry.state === "finished") known.add(name);
              assert.ok(entry.attempt <= runs);
            }
          }
          assert.equal(known.size, steps.length);
          const counts = { completedSteps: steps.length, totalSteps: steps.length, percentComplete: 99 };
          assert.deepEqual(await progressOf(operation), { running: [], ...counts });
        }),
      ),
      { numRuns: 40 },
    );
  });
});

test("steps that do not need each other run side by side, and all are named as running", () =>
  withOperation(async (operation, guard) => {
    const both = Promise.withResolvers<void>();
    let inside = 0;
    const meet = async () => {
      inside += 1;
      if (inside === 2) {
        const counts = { completedSteps: 0, totalSteps: 2, percentComplete: 0 };
        assert.deepEqual(await progressOf(operation), { running: ["left", "right"], ...counts });
        both.resolve();
      }
      await both.promise;
    };
    const steps = graph<AbortSignal>("pair").step("left", { run: meet }).step("right", { run: meet }).build();
    assert.equal(await run(operation, guard, steps), "completed");
  }));

test("progress counts the steps of all graphs of the operation, by weight", () =>
  withOperation(async (operation, guard) => {
    const first = graph<AbortSignal>("first")
      .step("light", { run: async () => {} })
      .build();
    const second = graph<AbortSignal>("second")
      .step("heavy", { weight: 3, run: async () => {} })
      .build();
    const plan = [first, second];
    await run(operation, guard, first, { plan });
    assert.equal((await progressOf(operation))?.percentComplete, 25);
    await run(operation, guard, second, { plan });
    assert.equal((await progressOf(operation))?.percentComplete, 99);
  }));

test("the progress reports of a long step are shown with a delay and count for its share", () =>
  withOperation(async (operation, guard) => {
    const clock = hurriedClock();
    const shown = async () => {
      const progress = await progressOf(operation);
      return [progress?.percentComplete, progress?.running.join()];
    };
    const long: ActionSpec<StepScope> = {
      weight: 3,
      async run({ report }) {
        for (const { fraction, percent } of [
          { fraction: 0.5, percent: 37 },
          { fraction: 7, percent: 75 },
        ]) {
          await clock.sleep(6_000, signal);
          report({ fraction, activity: `at ${fraction}` });
          const wanted = [percent, `long (at ${fraction})`];
          while (!isDeepStrictEqual(await shown(), wanted)) signal.throwIfAborted();
          // This report is delayed, because it follows too soon after the previous report.
          report({ fraction: 0.9, activity: "in haste" });
          assert.deepEqual(await shown(), wanted);
        }
      },
    };
    const whole = graph<StepScope>("reporting")
      .step("long", long)
      .step("after", { needs: ["long"], run: async () => {} })
      .build();
    const journal = await new Journal(journalStoreOf(database, operation), { guard, clock }).load(signal);
    const draining = new AbortController().signal;
    const context = (scope: StepScope) => scope;
    const deps = {
      journal,
      guard,
      clock,
      logger: silentLogger,
      signal,
      draining,
      context,
      retryPolicy: () => stop,
    };
    assert.equal(await runGraph({ graph: whole, plan: [whole], ...deps }), "completed");
  }));

test("a failing step aborts its neighbours, and its own error is thrown", () =>
  withOperation(async (operation, guard) => {
    const waitForAbort = (aborted: AbortSignal) =>
      new Promise<void>((_, reject) => aborted.addEventListener("abort", () => reject(aborted.reason)));
    const steps = graph<AbortSignal>("failing")
      .step("bad", {
        run: async () => {
          throw new TypeError("taken");
        },
      })
      .step("neighbour", { run: waitForAbort })
      .step("after", { needs: ["bad"], run: () => assert.fail("must not run") })
      .build();
    await assert.rejects(run(operation, guard, steps), {
      name: "TypeError",
      message: "taken",
    });
    const entries = await entriesOf(operation);
    assert.equal(entries.get("bad")?.state, "failed");
    assert.equal(entries.get("bad")?.error, "taken");
    assert.equal(entries.get("neighbour")?.state, "running");
    assert.equal(entries.has("after"), false);
  }));

test("a transient failure is tried again under the step's policy, and the last error is the one thrown", () =>
  withOperation(async (operation, guard) => {
    const clock = hurriedClock();
    let attempt = 0;
    const steps = graph<AbortSignal>("flaky")
      .step("flaky", {
        retry: { attempts: 3, firstMs: 100, factor: 2, maxMs: 1_000, jitter: 0 },
        run: async () => {
          attempt += 1;
          throw new Transient(`attempt ${attempt}`);
        },
      })
      .build();
    await assert.rejects(run(operation, guard, steps, { clock }), { message: "attempt 3" });
    assert.deepEqual(clock.slept, [100, 200]);
  }));

test("a condition that never comes true fails with its message, and keeps the last error as its cause", () =>
  withOperation(async (operation, guard) => {
    const steps = graph<AbortSignal>("never")
      .condition("never", {
        timeoutMs: 30 * 60_000,
        timeoutMessage: "The parcel did not arrive. Please call us.",
        until: async () => {
          throw new Transient("connection refused");
        },
      })
      .build();
    await assert.rejects(run(operation, guard, steps), (error) => {
      assert.ok(error instanceof StepTimeoutError);
      assert.equal(error.message, "The parcel did not arrive. Please call us.");
      assert.equal(error.timeoutMessage, error.message);
      assert.ok(error.cause instanceof Transient);
      return true;
    });
  }));

test("a step that outlives its time limit is aborted and fails", () =>
  withOperation(async (operation, guard) => {
    const steps = graph<AbortSignal>("stuck")
      .step("stuck", {
        timeoutMs: 20,
        run: (aborted) =>
          new Promise((_, reject) => aborted.addEventListener("abort", () => reject(aborted.reason))),
      })
      .build();
    await assert.rejects(
      run(operation, guard, steps, { clock: systemClock }),
      /stuck was not done within 20 ms: The operation was aborted/,
    );
  }));

test("a step that does not end when it is aborted frees its worker at its time limit", () =>
  withOperation(async (operation, guard) => {
    const clock = new ManualClock();
    const begun = Promise.withResolvers<void>();
    const steps = graph<AbortSignal>("deaf")
      .step("deaf", {
        timeoutMs: 600_000,
        run: () => {
          begun.resolve();
          return new Promise(() => {});
        },
      })
      .build();
    const ended = assert.rejects(
      run(operation, guard, steps, { clock }),
      /deaf was not done within 600000 ms$/,
    );
    await begun.promise;
    await clock.advance(600_000);
    await ended;
  }));

test("attempts that are slow and fail share the time limit of their step", () =>
  withOperation(async (operation, guard) => {
    const clock = new ManualClock();
    let attempts = 0;
    const steps = graph<AbortSignal>("slow")
      .step("slow", {
        timeoutMs: 600_000,
        retry: { attempts: 100, firstMs: 1, factor: 1, maxMs: 1, jitter: 0 },
        async run() {
          attempts++;
          await clock.advance(299_999);
          throw new Transient("did not answer within 299999 ms");
        },
      })
      .build();
    const ended = assert.rejects(
      run(operation, guard, steps, { clock }),
      /slow was not done within 600000 ms: did not answer/,
    );
    let isOver = false;
    void ended.finally(() => (isOver = true));
    while (!isOver) await clock.advance(1);
    await ended;
    assert.equal(attempts, 3);
  }));

test("polls of a condition share its time limit, and the last one is cut off", () =>
  withOperation(async (operation, guard) => {
    const clock = new ManualClock();
    let polls = 0;
    const steps = graph<AbortSignal>("trickle")
      .condition("trickle", {
        timeoutMs: 600_000,
        async until() {
          if (++polls < 3) await clock.advance(200_000);
          else await new Promise(() => {});
          return false;
        },
      })
      .build();
    const ended = assert.rejects(
      run(operation, guard, steps, { clock }),
      /trickle was not done within 600000 ms$/,
    );
    let isOver = false;
    void ended.finally(() => (isOver = true));
    const startedMs = clock.monotonicMs();
    while (!isOver) await clock.advance(1_000);
    await ended;
    assert.equal(polls, 3);
    assert.ok(clock.monotonicMs() - startedMs >= 600_000);
  }));

test("progress extends a condition up to 30 minutes, and a wait without it ends at its time limit", () =>
  withOperation(async (operation, guard) => {
    for (const [changes, minutes] of [
      [0, 3],
      [4, 7],
      [1_000, 30],
    ] as const) {
      const clock = new ManualClock();
      const startedMs = clock.monotonicMs();
      const minute = () => Math.floor((clock.monotonicMs() - startedMs) / 60_000);
      const steps = graph<AbortSignal>("rollout")
        .condition(`rollout${changes}`, {
          timeoutMs: 180_000,
          timeoutMessage: "The rollout did not end.",
          until: async () => false,
          progress: async () => `version ${Math.min(minute(), changes)}`,
        })
        .build();
      const ended = assert.rejects(run(operation, guard, steps, { clock }), {
        message: "The rollout did not end.",
      });
      let isOver = false;
      void ended.finally(() => (isOver = true));
      while (!isOver) await clock.advance(5_000);
      await ended;
      assert.equal(minute(), minutes);
    }
  }));

test("draining lets the running step finish and starts no other, and a later run resumes there", () =>
  withOperation(async (operation, guard) => {
    const draining = new AbortController();
    const ran: string[] = [];
    const steps = graph<AbortSignal>("draining")
      .step("current", {
        run: async () => {
          draining.abort("draining");
          await new Promise((resolve) => setImmediate(resolve));
          ran.push("current");
        },
      })
      .condition("waiting", { until: async () => ran.includes("released") })
      .step("next", { needs: ["current", "waiting"], run: async () => void ran.push("next") })
      .build();
    assert.equal(await run(operation, guard, steps, { draining: draining.signal }), "drained");
    assert.deepEqual(ran, ["current"]);
    ran.push("released");
    assert.equal(await run(operation, guard, steps), "completed");
    assert.deepEqual(ran, ["current", "released", "next"]);
    assert.equal((await entriesOf(operation)).get("waiting")?.attempt, 2);
  }));

test("a worker with a stale lease cannot write", () =>
  withOperation(async (operation, guard) => {
    const stale = { ...guard, lease: { ...guard.lease, generation: guard.lease.generation - 1 } };
    const steps = graph<AbortSignal>("stale")
      .step("only", { run: () => assert.fail("must not run") })
      .build();
    await assert.rejects(run(operation, stale, steps), (error) => isCoded(error, "LeaseLost"));
    assert.equal((await entriesOf(operation)).size, 0);
  }));

test("a lease lost in the middle of a step ends the run without an entry for its end", () =>
  withOperation(async (operation, guard) => {
    const steps = graph<AbortSignal>("losing")
      .step("only", { run: async () => guard.lose() })
      .step("next", { needs: ["only"], run: () => assert.fail("must not run") })
      .build();
    await assert.rejects(run(operation, guard, steps), (error) => isCoded(error, "LeaseLost"));
    assert.equal((await entriesOf(operation)).get("only")?.state, "running");
  }));
