import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import { create, createKeyring, generateKey, openDatabase } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { definitions, startShipping } from "./testing/shipping-example.ts";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the example of the README is the code that runs here", () => {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(textOf("../README.md")) ?? [];
  assert.equal(code, textOf("./testing/shipping-example.ts"));
});

test("the example ships an order", async () => {
  const signal = AbortSignal.timeout(900_000);
  await using database = await openDatabase({
    driver: await memoryDriver(),
    definitions,
    keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
    logger: silentLogger,
    signal,
  });
  const calls: string[] = [];
  const shop = {
    reserve: async (id: string) => void calls.push(`reserve ${id}`),
    charge: async (id: string) => void calls.push(`charge ${id}`),
    send: async (id: string) => void calls.push(`send ${id}`),
  };
  const workers = startShipping(database, shop, systemClock, silentLogger);
  const { orders } = database.collections;
  const order = { id: "1", partitionKey: "orders", state: "Open" } as const;
  await database.commit("orders", [create(orders, order)], { signal });
  while ((await orders.find("orders", "1", signal))?.document.state !== "Done") {
    await systemClock.sleep(10, signal);
  }
  await workers.drain(signal);
  assert.deepEqual(calls, ["reserve 1", "charge 1", "send 1"]);
});
