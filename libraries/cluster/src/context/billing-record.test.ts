import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isCoded } from "@keelson/base";
import type { BillingDocument, ServiceDatabase } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { putCluster } from "../testing/documents.ts";
import { acquireCluster, guardOf, openStore, signal } from "../testing/store.ts";
import { billingRecord } from "./billing-record.ts";
import { ClusterHandle } from "./cluster-handle.ts";

let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

const start = new Date("2026-01-01T00:00:00Z");
const later = new Date("2026-02-01T00:00:00.900Z");
const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

async function recordOf(name: string) {
  const { id, partitionKey } = await putCluster(database, newCluster({ name }));
  const leased = await acquireCluster(database, name);
  const handle = new ClusterHandle({ database, guard: guardOf(leased) }, leased);
  const find = async (): Promise<BillingDocument["billing"] | undefined> =>
    (await database.collections.billing.find(partitionKey, id, signal))?.document.billing;
  return { leased, find, record: billingRecord({ database, guard: guardOf(leased), handle }) };
}

test("repeated calls keep the first creation time and the first deletion time of a billed cluster", async () => {
  const { record, find } = await recordOf("billed");
  await record.ensure(start, "tenant", signal);
  await record.ensure(later, "other", signal);
  const billing = { creationTime: seconds(start), location: "eastus", tenantID: "tenant" };
  assert.deepEqual(await find(), billing);
  await record.markDeleted(later, signal);
  await record.markDeleted(new Date("2026-03-01T00:00:00Z"), signal);
  await record.ensure(later, "tenant", signal);
  assert.deepEqual(await find(), { ...billing, deletionTime: seconds(later) });
});

test("a cluster that was never on the bill is not put on it by its deletion", async () => {
  const { record, find } = await recordOf("unbilled");
  await record.markDeleted(later, signal);
  assert.equal(await find(), undefined);
});

test("a worker that lost its cluster bills nothing", async () => {
  const { record, find, leased } = await recordOf("lost");
  await database.collections.clusters.release(leased.lease, { backoffMs: 0, signal });
  await assert.rejects(record.ensure(start, "tenant", signal), (error) => isCoded(error, "LeaseLost"));
  assert.equal(await find(), undefined);
});
