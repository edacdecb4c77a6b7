import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { clusterAddress, clusterBody } from "../testing/cluster-request.ts";
import { storedCluster, succeed } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend({ operationsPerSubscription: 3 });
});
after(() => frontend[Symbol.asyncDispose]());

async function subscription(): Promise<string> {
  const id = randomUUID();
  await frontend.client.put(`/subscriptions/${id}`, { state: "Registered" });
  return id;
}

function create(subscriptionId: string, name: string) {
  const address = clusterAddress(subscriptionId, `demo-${name}`);
  return frontend.client.put(address.url, clusterBody(address));
}

test("concurrent requests queue operations up to the limit of the subscription, the others get 429", async () => {
  const greedy = await subscription();
  const modest = await subscription();
  const names = ["a", "b", "c", "d", "e", "f"];
  const responses = await Promise.all(names.map((name) => create(greedy, name)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 201, 429, 429, 429]);
  const refused = responses.find(({ status }) => status === 429);
  assert.equal(refused?.headers["retry-after"], "10");
  assert.equal(refused?.error.code, "OperationsThrottled");
  assert.match(
    `${refused?.error.message}`,
    new RegExp(`Subscription '${greedy}' has 3 unfinished operations`),
  );
  assert.equal((await create(modest, "a")).status, 201);
});

test("an operation that ends makes room, and updates and deletions count too", async () => {
  const greedy = await subscription();
  for (const name of ["a", "b"]) {
    assert.equal((await create(greedy, name)).status, 201);
    await succeed(frontend.database, clusterAddress(greedy, `demo-${name}`));
  }
  for (const name of ["c", "d", "e"]) assert.equal((await create(greedy, name)).status, 201);
  const { url } = clusterAddress(greedy, "demo-a");
  const deletion = await frontend.client.delete(url);
  assert.deepEqual([deletion.status, deletion.error.code], [429, "OperationsThrottled"]);
  const update = () => frontend.client.patch(url, { tags: { a: "b" } });
  assert.equal((await update()).status, 429);
  const unchanged = await storedCluster(frontend.database, clusterAddress(greedy, "demo-a"));
  assert.equal(unchanged.document.openShiftCluster.properties.provisioningState, "Succeeded");
  await succeed(frontend.database, clusterAddress(greedy, "demo-c"));
  assert.equal((await update()).status, 200);
  assert.equal((await frontend.client.delete(clusterAddress(greedy, "demo-b").url)).status, 429);
});

test("an administrator's operation is not limited", async () => {
  const greedy = await subscription();
  assert.equal((await create(greedy, "a")).status, 201);
  await succeed(frontend.database, clusterAddress(greedy, "demo-a"));
  for (const name of ["b", "c", "d"]) assert.equal((await create(greedy, name)).status, 201);
  const { id } = clusterAddress(greedy, "demo-a");
  assert.equal((await frontend.client.patch(`${id}?api-version=admin`, {})).status, 200);
});
