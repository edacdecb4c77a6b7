import type { Clock, Logger } from "@keelson/base";
import { type Database, type Document, defineCollection, replace } from "@keelson/database";
import type { StepRecord } from "@keelson/workflow";
import { graph, Journal, processOwner, QueueWorkers, retry, runGraph, workQueue } from "@keelson/workflow";

type Order = Document & { readonly state: "Open" | "Done" };
const table = { unique: [], secretPaths: [] };
const orders = defineCollection<Order>({ name: "openshift_clusters", keys: {}, ...table });
const entries = {
  name: "journal",
  keys: { operationId: (entry: StepRecord) => entry.operationId },
  ...table,
};
export const definitions = {
  orders: { ...orders, queued: ({ state }: Order) => state === "Open" },
  entries: defineCollection<StepRecord>(entries),
};

export type Shop = Record<"reserve" | "charge" | "send", (orderId: string) => Promise<void>>;
const shipping = graph<{ readonly order: Order; readonly shop: Shop }>("shipping")
  .step("reserve", { run: ({ order, shop }) => shop.reserve(order.id) })
  .step("charge", { needs: ["reserve"], run: ({ order, shop }) => shop.charge(order.id) })
  .step("send", { needs: ["reserve", "charge"], run: ({ order, shop }) => shop.send(order.id) })
  .build();

export function startShipping(
  database: Database<typeof definitions>,
  shop: Shop,
  clock: Clock,
  logger: Logger,
) {
  const { orders, entries } = database.collections;
  const queue = workQueue({
    collection: orders,
    async work({ document: order, etag }, guard, signals) {
      const store = { database, partitionKey: order.partitionKey, operationId: order.id, entries };
      const journal = await new Journal({ ...store, entryOf: (record) => record }, { guard, clock }).load(
        signals.signal,
      );
      const run = { graph: shipping, plan: [shipping], journal, guard, clock, logger, ...signals };
      const result = await runGraph({ ...run, context: () => ({ order, shop }), retryPolicy: () => retry });
      if (result === "drained") return orders.release(guard.lease, { backoffMs: 0, ...signals });
      const done = replace(orders, { document: order, etag }, { ...order, state: "Done" });
      await database.commit(order.partitionKey, [done], { lease: guard.lease, release: true, ...signals });
    },
  });
  const changes = (signal: AbortSignal) => database.changes(signal);
  const limits = { workers: 10, leaseMs: 60_000, heartbeatMs: 10_000, drainMs: 30_000 };
  return new QueueWorkers({
    queues: [queue],
    changes,
    ...limits,
    owner: processOwner(),
    clock,
    logger,
  }).start();
}
