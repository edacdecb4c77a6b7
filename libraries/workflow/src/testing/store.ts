import { randomUUID } from "node:crypto";
import { silentLogger } from "@keelson/base";
import { create, createKeyring, generateKey, type Leased, openDatabase } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { definitions, type Order, type OrderDatabase, type OrderRef } from "./documents.ts";

export const signal = AbortSignal.timeout(10 * 60_000);

/** Opens an in-memory database. */
export async function openStore(): Promise<OrderDatabase> {
  return openDatabase({
    driver: await memoryDriver(),
    definitions,
    keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
    logger: silentLogger,
    signal,
  });
}

/** Stores a queued order with its operation. */
export async function putOrder(database: OrderDatabase): Promise<OrderRef> {
  const { orders, operations } = database.collections;
  const [id, operationId, partitionKey] = [randomUUID(), randomUUID(), "orders"];
  const order: Order = { id, partitionKey, key: id, state: "Open", operationId };
  const writes = [create(orders, order), create(operations, { id: operationId, partitionKey })];
  const result = await database.commit(partitionKey, writes, { signal });
  if (result.kind !== "committed") throw new Error(`the order was not stored: ${result.kind}`);
  return { operationId, partitionKey, orderKey: order.key };
}

/** Acquires the only queued order. */
export async function acquireOrder(
  database: OrderDatabase,
  owner: string,
  ttlMs = 600_000,
): Promise<Leased<Order>> {
  const [leased] = await database.collections.orders.acquire({ owner, ttlMs, limit: 1, signal });
  if (!leased) throw new Error("no order is queued");
  return leased;
}
