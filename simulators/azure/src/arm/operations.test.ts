import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { Store } from "../store/store.ts";
import { Operations } from "./operations.ts";

async function endAll(
  { operations, store, clock }: { operations: Operations; store: Store; clock: ManualClock },
  count: number,
): Promise<readonly string[]> {
  const ids = store.transaction(() =>
    Array.from({ length: count }, () => operations.begin("write", "/subscriptions/s", 0).id),
  );
  await clock.advance(1);
  while (ids.some((id) => operations.find(id)?.status === "InProgress")) await new Promise(setImmediate);
  return ids;
}

test("completed operations are retained for a week, up to the newest 5,000", async () => {
  const [store, clock] = [Store.inMemory(), new ManualClock(new Date())];
  await using operations = new Operations({ store, clock, logger: silentLogger });
  operations.start(() => undefined);
  const first = await endAll({ operations, store, clock }, 10);
  const rest = await endAll({ operations, store, clock }, 4_995);
  assert.equal(store.table("operation").size, 5_000);
  assert.deepEqual(first.map((id) => operations.find(id) !== undefined).indexOf(true), 5);
  await clock.advance(8 * 86_400_000);
  const [last = ""] = await endAll({ operations, store, clock }, 1);
  assert.equal(operations.find(rest.at(-1) ?? ""), undefined);
  assert.equal(operations.find(last)?.status, "Succeeded");
  assert.equal(store.table("operation").size, 1);
});
