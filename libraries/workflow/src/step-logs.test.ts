/** Tests the stored log lines of steps: their limits, retries, resumed operations and lost responses. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { silentLogger } from "@keelson/base";
import type { StepScope } from "./execute-step.ts";
import { type Graph, graph } from "./graph.ts";
import { Journal } from "./journal.ts";
import type { LeaseGuard } from "./lease-guard.ts";
import { retry } from "./retry-policy.ts";
import { runGraph } from "./run-graph.ts";
import type { StepLogRecord } from "./step-log.ts";
import { journalStoreOf, type OrderDatabase, type OrderRef } from "./testing/documents.ts";
import { hurriedClock } from "./testing/hurried-clock.ts";
import { guardOf } from "./testing/lease-guard.ts";
import { acquireOrder, openStore, putOrder, signal } from "./testing/store.ts";

let database: OrderDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

async function run(
  operation: OrderRef,
  guard: LeaseGuard,
  steps: Graph<StepScope>,
  { commit = database.commit }: Partial<Pick<OrderDatabase, "commit">> = {},
) {
  const clock = hurriedClock();
  const store = {
    ...journalStoreOf({ collections: database.collections, commit }, operation),
    logs: { collection: database.collections.stepLogs, recordOf: (record: StepLogRecord) => record },
  };
  const journal = await new Journal(store, { guard, clock }).load(signal);
  return runGraph({
    ...{ graph: steps, plan: [steps], journal, guard, clock, logger: silentLogger, signal },
    draining: new AbortController().signal,
    context: (scope) => scope,
    retryPolicy: () => retry,
  });
}

async function newOperation() {
  const operation = await putOrder(database);
  return { operation, guard: guardOf(await acquireOrder(database, "worker")) };
}

async function logsOf({ partitionKey, operationId }: OrderRef) {
  const query = { partitionKey, where: { operationId }, limit: 100 };
  const { items } = await database.collections.stepLogs.list(query, signal);
  return items.map(({ document }) => document);
}

test("lines and retries of a step are stored, and a step without lines has no document", async () => {
  const { operation, guard } = await newOperation();
  let failures = 2;
  const steps = graph<StepScope>("g")
    .step("quiet", { run: async () => undefined })
    .step("loud", {
      run: async ({ logger }) => {
        logger.info({ name: "a" }, "creates");
        if (failures-- > 0) throw new Error(`failure ${failures}`);
      },
    })
    .build();
  assert.equal(await run(operation, guard, steps), "completed");
  const [log, ...others] = await logsOf(operation);
  assert.deepEqual(others, []);
  assert.equal(log?.step, "loud");
  assert.deepEqual(
    log?.entries.map(({ message, attempt, error }) => [message, attempt, error]),
    [
      ["creates", undefined, undefined],
      ["step will be tried again", 1, "failure 1"],
      ["creates", undefined, undefined],
      ["step will be tried again", 2, "failure 0"],
      ["creates", undefined, undefined],
    ],
  );
});

test("a failed step stores its error and the cause of the error", async () => {
  const { operation, guard } = await newOperation();
  const steps = graph<StepScope>("g")
    .step("fails", {
      retry: { attempts: 1, firstMs: 1, factor: 1, maxMs: 1, jitter: 0 },
      run: async () => {
        throw new Error("Deployment failed.", { cause: new Error("The network is busy.") });
      },
    })
    .build();
  await assert.rejects(run(operation, guard, steps), /Deployment failed/);
  const [log] = await logsOf(operation);
  assert.deepEqual(
    log?.entries.map(({ level, message }) => [level, message]),
    [["error", "step failed"]],
  );
  assert.match(log?.entries[0]?.details ?? "", /Deployment failed\. Cause: The network is busy\./);
});

test("a polled condition stores an error once, and again if it changes", async () => {
  const { operation, guard } = await newOperation();
  const errors = ["a", "a", "a", "b"];
  const steps = graph<StepScope>("g")
    .condition("waits", {
      everyMs: 1_000,
      timeoutMs: 60_000,
      until: async () => {
        const error = errors.shift();
        if (error !== undefined) throw new Error(error);
        return true;
      },
    })
    .build();
  assert.equal(await run(operation, guard, steps), "completed");
  const [log] = await logsOf(operation);
  assert.deepEqual(
    log?.entries.map(({ attempt, error }) => [attempt, error]),
    [
      [1, "a"],
      [4, "b"],
    ],
  );
});

test("an operation stores at most 500 lines and 128 KiB, the newest", async () => {
  const { operation, guard } = await newOperation();
  const lines = (count: number, text: string) => ({
    run: async ({ logger }: StepScope) => {
      for (let line = 0; line < count; line++) logger.info({ line }, `${text}${line}`);
    },
  });
  const many = graph<StepScope>("g")
    .step("a", lines(700, "a"))
    .step("b", { needs: ["a"], ...lines(3, "b") })
    .build();
  await run(operation, guard, many);
  const logs = await logsOf(operation);
  assert.deepEqual(
    logs.map(({ step, entries, omitted }) => [step, entries.length, omitted, entries.at(-1)?.message]),
    [
      ["a", 497, 203, "a699"],
      ["b", 3, 0, "b2"],
    ],
  );
  const second = await newOperation();
  const long = graph<StepScope>("g")
    .step("a", {
      run: async ({ logger }) => {
        for (let line = 0; line < 300; line++) logger.info({ text: "é ".repeat(2_000) }, `${line}`);
      },
    })
    .build();
  await run(second.operation, second.guard, long);
  const [log] = await logsOf(second.operation);
  assert.ok(Buffer.byteLength(JSON.stringify(log?.entries)) < 132_000);
  assert.equal(log?.entries.at(-1)?.message, "299");
  assert.ok((log?.omitted ?? 0) > 0);
});

test("a resumed operation appends its lines, also if the response to a commit was lost", async () => {
  const { operation, guard } = await newOperation();
  let isFirst = true;
  const steps = graph<StepScope>("g")
    .step("a", {
      run: async ({ logger, attempt }) => {
        logger.info(`start ${attempt}`);
      },
    })
    .step("b", {
      needs: ["a"],
      run: async ({ logger, attempt }) => {
        logger.info(`start ${attempt}`);
      },
    })
    .build();
  const abandoned: OrderDatabase["commit"] = async (...args) => {
    const result = await database.commit(...args);
    // The commit that ends step `a` is stored, but its response is lost.
    if (isFirst && (await logsOf(operation)).length > 0) {
      isFirst = false;
      return { kind: "conflict" } as Awaited<ReturnType<OrderDatabase["commit"]>>;
    }
    return result;
  };
  assert.equal(await run(operation, guard, steps, { commit: abandoned }), "completed");
  assert.equal(isFirst, false);
  assert.deepEqual(
    (await logsOf(operation)).map(({ step, entries }) => [step, entries.map(({ message }) => message)]),
    [
      ["a", ["start 1"]],
      // The repeated commit counts as a second start of step `b`.
      ["b", ["start 2"]],
    ],
  );
  const again = graph<StepScope>("g")
    .step("b", { run: async () => undefined })
    .step("c", {
      run: async ({ logger }) => {
        logger.warn("later");
      },
    })
    .build();
  await run(operation, guard, again);
  assert.deepEqual(
    (await logsOf(operation)).map(({ step, entries }) => [step, entries.length]),
    [
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ],
  );
});
