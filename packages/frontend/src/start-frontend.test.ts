import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { clusterAddress, clusterBody } from "./testing/cluster-request.ts";
import { succeed } from "./testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "./testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

test("a cluster is created, finished by a worker and read back", async () => {
  const { client, database } = frontend;
  const address = clusterAddress(randomUUID());
  await client.put(`/subscriptions/${address.subscriptionId}?api-version=2.0`, { state: "Registered" });
  const created = await client.put(address.url, clusterBody(address));
  assert.equal(created.status, 201, created.text);
  await succeed(database, address);
  const read = await client.get(address.url);
  assert.equal(read.status, 200);
  assert.equal(read.json.id, address.id);
});
