import { type Collection, type Database, type Document, defineCollection } from "@keelson/database";
import type { BucketAllocation, PoolWorker } from "../buckets/bucket-pool.ts";
import type { JournalStore, Progress, StepRecord } from "../journal.ts";
import type { StepLogRecord } from "../step-log.ts";

/** Test document. It is stored in the tables of the service. */
export interface Order extends Document {
  readonly key: string;
  readonly state: "Open" | "Done" | "Failed";
  readonly operationId?: string;
}

export interface OrderOperation extends Document {
  readonly progress?: Progress;
}

/** Journal entry with an additional field of the application. */
export interface OrderEntry extends StepRecord {
  readonly orderKey: string;
}

export const definitions = {
  orders: {
    ...defineCollection<Order>({
      name: "openshift_clusters",
      keys: { key: ({ key }) => key },
      unique: ["key"],
    }),
    queued: ({ state }: Order) => state === "Open",
  },
  operations: defineCollection<OrderOperation>({
    name: "async_operations",
  }),
  entries: defineCollection<OrderEntry>({
    name: "journal",
    keys: { operationId: ({ operationId }) => operationId },
  }),
  stepLogs: defineCollection<StepLogRecord>({
    name: "step_logs",
    keys: { operationId: ({ operationId }) => operationId },
  }),
  poolWorkers: defineCollection<PoolWorker>({
    name: "pool_workers",
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  bucketAllocations: defineCollection<BucketAllocation>({
    name: "bucket_allocations",
  }),
};

export type OrderDatabase = Database<typeof definitions>;

/** Reference to an order and its operation. */
export interface OrderRef {
  readonly operationId: string;
  readonly partitionKey: string;
  readonly orderKey: string;
}

export function journalStoreOf(
  database: Pick<OrderDatabase, "commit"> & { readonly collections: OrderJournalCollections },
  { operationId, partitionKey, orderKey }: OrderRef,
): JournalStore<OrderEntry, OrderOperation> {
  return {
    database,
    partitionKey,
    operationId,
    entries: database.collections.entries,
    entryOf: (record) => ({ ...record, orderKey }),
    progress: {
      operations: database.collections.operations,
      withProgress: (operation, progress) => ({ ...operation, progress }),
    },
  };
}

interface OrderJournalCollections {
  readonly entries: Collection<OrderEntry>;
  readonly operations: Collection<OrderOperation>;
}
