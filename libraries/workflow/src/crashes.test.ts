/**
 * Tests workers that crash at each commit, either before the database receives the commit or before the worker receives its
 * result.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type Leased, replace } from "@keelson/database";
import { graph } from "./graph.ts";
import type { HeldLease } from "./held-lease.ts";
import { Journal } from "./journal.ts";
import { processOwner, QueueWorkers } from "./queue-workers.ts";
import { stop } from "./retry-policy.ts";
import { runGraph } from "./run-graph.ts";
import { type Crash, crashingDatabase } from "./testing/crashing-database.ts";
import { journalStoreOf, type Order, type OrderDatabase, type OrderRef } from "./testing/documents.ts";
import { openStore, putOrder, signal } from "./testing/store.ts";
import { type WorkSignals, workQueue } from "./work-queue.ts";

let database: OrderDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

/** Simulated external system on which the steps have their effects. */
class Shop {
  readonly done = new Set<string>();
  readonly runs: string[] = [];
  /** Steps that the journal already contained as finished when the current worker started. */
  finished: ReadonlySet<string> = new Set();
  /**
   * Violations of the expected order. Steps record a violation instead of throwing an error, because the worker would handle the
   * error.
   */
  readonly violations: string[] = [];

  act(step: string, ...needs: readonly string[]): void {
    if (this.finished.has(step)) this.violations.push(`${step} ran again although it was finished`);
    for (const need of needs) if (!this.done.has(need)) this.violations.push(`${step} ran before ${need}`);
    this.runs.push(step);
    this.done.add(step);
  }
}

const shipping = graph<Shop>("shipping")
  .step("reserve", { run: async (shop) => shop.act("reserve") })
  .step("charge", { needs: ["reserve"], run: async (shop) => shop.act("charge", "reserve") })
  .step("pack", { needs: ["reserve"], run: async (shop) => shop.act("pack", "reserve") })
  .step("send", { needs: ["charge", "pack"], run: async (shop) => shop.act("send", "charge", "pack") })
  .condition("delivered", {
    needs: ["send"],
    until: async (shop) => {
      shop.act("delivered", "send");
      return true;
    },
  })
  .build();

/** Processes an order as one process would. All database access of the process goes through `own`, which can simulate a crash. */
async function ship(
  own: Pick<OrderDatabase, "commit" | "collections">,
  shop: Shop,
  { document: order, etag }: Leased<Order>,
  guard: HeldLease<Order>,
  signals: WorkSignals,
): Promise<void> {
  const ref = { operationId: order.operationId ?? "", partitionKey: order.partitionKey, orderKey: order.key };
  const deps = { guard, clock: systemClock };
  const journal = await new Journal(journalStoreOf(own, ref), deps).load(signals.signal);
  shop.finished = journal.finishedSteps;
  await runGraph({
    ...deps,
    ...signals,
    graph: shipping,
    plan: [shipping],
    journal,
    logger: silentLogger,
    context: () => shop,
    retryPolicy: () => stop,
  });
  const done = replace(own.collections.orders, { document: order, etag }, { ...order, state: "Done" });
  const options = { lease: guard.lease, release: true, signal: signals.signal };
  const result = await own.commit(order.partitionKey, [done], options);
  assert.equal(result.kind, "committed");
}

interface Scenario {
  readonly crash: Crash;
  readonly order: OrderRef;
  readonly shop: Shop;
}

/**
 * Starts the workers of one process. If `crashing` is true, each worker loses its database connection at the commit that its
 * scenario names.
 */
function startWorkers(scenarios: ReadonlyMap<string, Scenario>, crashing: boolean) {
  let ended = 0;
  const queue = workQueue({
    collection: database.collections.orders,
    async work(leased, guard, signals) {
      const scenario = scenarios.get(leased.document.key);
      assert.ok(scenario);
      const own = crashing ? crashingDatabase(database, scenario.crash) : database;
      await ship(own, scenario.shop, leased, guard, signals).finally(() => ended++);
    },
  });
  const workers = new QueueWorkers({
    queues: [queue],
    changes: (until) => database.changes(until),
    workers: scenarios.size,
    leaseMs: 1_000,
    heartbeatMs: 200,
    drainMs: 0,
    owner: processOwner(),
    clock: systemClock,
    logger: silentLogger,
  }).start();
  return { workers, ended: () => ended };
}

/**
 * Highest number of a commit at which a scenario crashes a worker. The operation has fewer commits, so some workers do not crash.
 */
const commits = 8;

describe("a worker that crashes, and a second one that resumes", () => {
  const scenarios = new Map<string, Scenario>();
  before(async () => {
    for (const moment of ["before", "after"] as const) {
      for (let commit = 1; commit <= commits; commit++) {
        const order = await putOrder(database);
        scenarios.set(order.orderKey, { crash: { moment, commit }, order, shop: new Shop() });
      }
    }
    const first = startWorkers(scenarios, true);
    await until(() => first.ended() >= scenarios.size);
    await first.workers.drain(signal);
    const second = startWorkers(scenarios, false);
    const { orders } = database.collections;
    await until(async () => {
      const open = await orders.list({ partitionKey: "orders", limit: 100 }, signal);
      return open.items.every(({ document }) => document.state === "Done");
    });
    await second.workers.drain(signal);
  });

  for (const moment of ["before", "after"] as const) {
    test(`${moment} each commit: every step has had its effect, and finished steps were not repeated`, async () => {
      let deaths = 0;
      for (const { crash, order, shop } of scenarios.values()) {
        if (crash.moment !== moment) continue;
        assert.deepEqual(shop.violations, []);
        const { operationId, partitionKey } = order;
        const query = { partitionKey, where: { operationId }, limit: 100 };
        const { items } = await database.collections.entries.list(query, signal);
        const names = shipping.steps.map(({ name }) => name);
        assert.deepEqual(new Set(items.map(({ document }) => document.step)), new Set(names));
        assert.deepEqual(shop.done, new Set(names));
        for (const { document } of items) {
          assert.equal(document.state, "finished");
          assert.equal(document.orderKey, order.orderKey);
          const runs = shop.runs.filter((each) => each === document.step).length;
          assert.ok(runs <= document.attempt, `${document.step} ran ${runs} times`);
        }
        const operation = await database.collections.operations.find(partitionKey, operationId, signal);
        assert.equal(operation?.document.progress?.percentComplete, 99);
        if (items.some(({ document }) => document.attempt > 1)) deaths++;
      }
      assert.ok(deaths > 0, "some died in the middle of a step");
    });
  }
});
