import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import fc from "fast-check";
import { type Result, TerminalError, WorkQueue } from "./work-queue.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Processed {
  readonly key: string;
  finish(result?: Result | Error): Promise<void>;
}

/** Creates a queue. The test completes each call manually. */
function manualQueue(concurrency = 1) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const calls: Processed[] = [];
  const failures: { readonly key: string; readonly retryMs: number | undefined }[] = [];
  const queue = new WorkQueue({
    concurrency,
    clock,
    signal: stop.signal,
    process(key) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const finish = async (result: Result | Error = {}) => {
        if (result instanceof Error) reject(result);
        else resolve(result);
        await turn();
      };
      calls.push({ key, finish });
      return promise;
    },
    onFailure: (key, _error, _attempt, retryMs) => failures.push({ key, retryMs }),
  });
  const keys = () => calls.map(({ key }) => key);
  const call = (at: number): Processed => {
    const found = calls[at];
    assert.ok(found, `call ${at} has not begun`);
    return found;
  };
  return { queue, clock, stop, keys, call, failures };
}

test("a key that is added often is processed once", async () => {
  const { queue, keys } = manualQueue();
  for (let count = 0; count < 5; count++) queue.add("a");
  await turn();
  assert.deepEqual(keys(), ["a"]);
  assert.deepEqual(queue.depths, { event: 0, resync: 0 });
});

test("a key that is added while it is processed is processed once more, after it", async () => {
  const { queue, keys, call } = manualQueue(4);
  queue.add("a");
  await turn();
  queue.add("a");
  queue.add("a");
  await turn();
  assert.deepEqual(keys(), ["a"]);
  await call(0).finish();
  assert.deepEqual(keys(), ["a", "a"]);
  await call(1).finish();
  await turn();
  assert.deepEqual(keys(), ["a", "a"]);
  assert.equal(queue.pending, 0);
});

test("keys are processed in the order they came, as many at a time as there are workers", async () => {
  const { queue, keys, call } = manualQueue(2);
  for (const key of ["a", "b", "c", "d"]) queue.add(key);
  await turn();
  assert.deepEqual(keys(), ["a", "b"]);
  await call(1).finish();
  assert.deepEqual(keys(), ["a", "b", "c"]);
});

test("changes go before periodic checks, which keep a tenth", async () => {
  const { queue, keys, call } = manualQueue();
  for (let at = 0; at < 3; at++) queue.add(`resync${at}`, "resync");
  for (let at = 0; at < 12; at++) queue.add(`event${at}`);
  for (let at = 0; at < 15; at++) {
    await turn();
    await call(at).finish();
  }
  const places = keys().flatMap((key, at) => (key.startsWith("resync") ? [at] : []));
  assert.deepEqual(places, [9, 13, 14]);
});

test("a periodic check that becomes a change moves forward and is processed once", async () => {
  const { queue, keys, call } = manualQueue();
  queue.add("first");
  await turn();
  for (const key of ["a", "b", "c"]) queue.add(key, "resync");
  queue.add("c");
  assert.deepEqual(queue.depths, { event: 1, resync: 2 });
  for (let at = 0; at < 4; at++) await call(at).finish();
  assert.deepEqual(keys(), ["first", "c", "a", "b"]);
});

test("a failed key comes again after a back-off that doubles, and starts over after a success", async () => {
  const { queue, clock, keys, call, failures } = manualQueue();
  queue.add("a");
  await turn();
  for (let at = 0; at < 4; at++) {
    await call(at).finish(new Error("no"));
    await clock.advance(200);
    await turn();
  }
  const waits = failures.map(({ retryMs }) => retryMs ?? 0);
  for (const [at, wait] of waits.entries())
    assert.ok(Math.abs(wait - 5 * 2 ** at) <= 1 + 2 ** at, `${waits}`);
  await call(4).finish();
  queue.add("a");
  await turn();
  await call(5).finish(new Error("no"));
  assert.ok((failures.at(-1)?.retryMs ?? 0) < 7);
  assert.deepEqual(new Set(keys()), new Set(["a"]));
});

test("all retries together are at most ten a second", async () => {
  const { queue, call, failures } = manualQueue(300);
  for (let at = 0; at < 200; at++) queue.add(`k${at}`);
  await turn();
  for (let at = 0; at < 200; at++) await call(at).finish(new Error("no"));
  const waits = failures.map(({ retryMs }) => retryMs ?? 0);
  assert.equal(waits.filter((wait) => wait < 10).length, 100);
  assert.equal(Math.round(waits.at(-1) ?? 0), 10_000);
});

test("a terminal failure is not tried again before the key is added", async () => {
  const { queue, clock, keys, call, failures } = manualQueue();
  queue.add("a");
  await turn();
  await call(0).finish(new TerminalError("invalid"));
  assert.deepEqual(failures, [{ key: "a", retryMs: undefined }]);
  await clock.advance(2_000_000);
  assert.deepEqual(keys(), ["a"]);
  queue.add("a");
  await turn();
  assert.deepEqual(keys(), ["a", "a"]);
});

test("the last result decides when a key comes again", async () => {
  const { queue, clock, keys, call } = manualQueue();
  queue.add("a");
  await turn();
  await call(0).finish({ requeueAfterMs: 1_000 });
  queue.add("a");
  await turn();
  await call(1).finish({ requeueAfterMs: 5_000 });
  await clock.advance(4_999);
  assert.equal(keys().length, 2);
  await clock.advance(1);
  await turn();
  assert.equal(keys().length, 3);
  await call(2).finish();
  await clock.advance(100_000);
  assert.equal(keys().length, 3);
  assert.equal(queue.pending, 0);
});

test("a queue that is stopped begins nothing, and is drained when the last call ends", async () => {
  const { queue, clock, stop, keys, call } = manualQueue();
  queue.add("a");
  queue.add("b");
  await turn();
  queue.addAfter("c", 10);
  stop.abort();
  const drained = queue.drained();
  await call(0).finish();
  await drained;
  queue.add("d");
  await clock.advance(100);
  await turn();
  assert.deepEqual(keys(), ["a"]);
  assert.equal(queue.pending, 0);
});

type Move =
  | { readonly kind: "add" | "resync"; readonly key: string }
  | { readonly kind: "finish"; readonly at: number; readonly failed: boolean };

const key = fc.constantFrom("a", "b", "c");
const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("add" as const, "resync" as const), key }),
    fc.record({ kind: fc.constant("finish" as const), at: fc.nat(3), failed: fc.boolean() }),
  ),
  { maxLength: 40 },
);

test("whatever comes, no key is processed twice at a time, and each is processed after its last addition", async () => {
  await fc.assert(
    fc.asyncProperty(moves, fc.integer({ min: 1, max: 3 }), async (all, concurrency) => {
      const clock = new ManualClock();
      const { signal } = new AbortController();
      const active = new Map<string, (result: Result | Error) => void>();
      /** Number of times that each key had been added when its last successful processing started. */
      const additions = new Map<string, number>();
      const served = new Map<string, number>();
      const queue = new WorkQueue({
        concurrency,
        clock,
        signal,
        onFailure() {},
        process(each) {
          assert.ok(!active.has(each), `${each} is processed twice at a time`);
          assert.ok(active.size < concurrency);
          const seen = additions.get(each) ?? 0;
          return new Promise<Result>((resolve, reject) => {
            active.set(each, (result) => {
              active.delete(each);
              if (result instanceof Error) return reject(result);
              served.set(each, seen);
              resolve(result);
            });
          });
        },
      });
      for (const move of all) {
        if (move.kind === "finish") {
          const end = [...active.values()][move.at];
          end?.(move.failed ? new Error("failed") : {});
        } else {
          additions.set(move.key, (additions.get(move.key) ?? 0) + 1);
          queue.add(move.key, move.kind === "add" ? "event" : "resync");
        }
        await turn();
      }
      for (let rounds = 0; queue.pending > 0; rounds++) {
        assert.ok(rounds < 100, "the queue never rests");
        for (const end of active.values()) end({});
        await clock.advance(2_000_000);
        await turn();
      }
      assert.deepEqual(served, additions);
    }),
    { numRuns: 60 },
  );
});

test("a queue is idle when no key waits or is processed, whatever is due later", async () => {
  const { queue, call } = manualQueue();
  await queue.idle();
  queue.add("a");
  queue.add("b");
  let isIdle = false;
  const idle = queue.idle().then(() => {
    isIdle = true;
  });
  await turn();
  await call(0).finish({ requeueAfterMs: 1_000 });
  await turn();
  assert.equal(isIdle, false);
  await call(1).finish();
  await idle;
});

test("a queue that ends while keys wait is idle", async () => {
  const { queue, stop } = manualQueue();
  queue.add("a");
  const idle = queue.idle();
  stop.abort();
  await idle;
});

test("the retry delay grows up to the configured maximum", async () => {
  const clock = new ManualClock();
  const waits: (number | undefined)[] = [];
  const queue = new WorkQueue({
    concurrency: 1,
    maxRetryMs: 20,
    clock,
    signal: new AbortController().signal,
    process: async () => {
      throw new Error("no");
    },
    onFailure: (_key, _error, _attempt, retryMs) => waits.push(retryMs),
  });
  for (let attempt = 0; attempt < 6; attempt++) {
    queue.add("a");
    await turn();
    await turn();
  }
  assert.ok(
    waits.slice(3).every((ms) => ms !== undefined && ms >= 17 && ms <= 23),
    String(waits),
  );
});
