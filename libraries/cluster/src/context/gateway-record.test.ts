import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ServiceDatabase } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { putCluster } from "../testing/documents.ts";
import { acquireCluster, guardOf, openStore, signal } from "../testing/store.ts";
import { ClusterHandle } from "./cluster-handle.ts";
import { gatewayRecord } from "./gateway-record.ts";

let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

async function recordOf(name: string) {
  const cluster = newCluster({ name });
  const properties = { ...cluster.properties, storageSuffix: name };
  const { partitionKey } = await putCluster(database, { ...cluster, properties });
  const leased = await acquireCluster(database, name);
  const guard = guardOf(leased);
  const record = gatewayRecord({ database, guard, handle: new ClusterHandle({ database, guard }, leased) });
  const find = async (linkId: string) =>
    (await database.collections.gateways.find(partitionKey, linkId, signal))?.document;
  return { record, find, id: cluster.id };
}

test("a link is one cluster's until it is forgotten, and only that one retires it", async () => {
  const first = await recordOf("first");
  const second = await recordOf("second");
  await first.record.ensure("1234", signal);
  await first.record.ensure("1234", signal);
  assert.deepEqual((await first.find("1234"))?.gateway, { id: first.id, storageSuffix: "first" });
  await assert.rejects(second.record.ensure("1234", signal), /is that of the cluster/);
  await second.record.retire("1234", signal);
  assert.deepEqual((await first.find("1234"))?.gateway, { id: first.id, storageSuffix: "first" });
  assert.equal(await second.record.isForgotten("1234", signal), true);
  await first.record.retire("1234", signal);
  await first.record.retire("1234", signal);
  const retired = await first.find("1234");
  assert.equal(retired?.gateway.deleting, true);
  assert.equal(retired.ttlSeconds, 60);
  assert.equal(await first.record.isForgotten("1234", signal), false);
  assert.equal(await first.record.isForgotten("other", signal), true);
});
