import assert from "node:assert/strict";
import { test } from "node:test";
import { newCluster } from "@keelson/model/testing";
import { sequence, step } from "@keelson/workflow";
import type { ClusterContext } from "./context/context.ts";
import { OperationWarnings } from "./operation-warnings.ts";
import { putSubscription } from "./testing/documents.ts";
import { runOperation } from "./testing/run-operation.ts";
import { openStore, signal } from "./testing/store.ts";
import { startWorld } from "./testing/world.ts";

const warning = (message: string) => ({ code: "InvalidLinkedVNet", message });

test("warnings of earlier workers stay, and each warning is there once", () => {
  const warnings = new OperationWarnings();
  warnings.add(warning("b"));
  warnings.add(warning("b"));
  assert.deepEqual(warnings.after([warning("a")]), [warning("a"), warning("b")]);
  assert.deepEqual(warnings.after([warning("b")]), [warning("b")]);
});

test("warnings have a maximum number and length", () => {
  const warnings = new OperationWarnings();
  for (let index = 0; index < 50; index++) warnings.add(warning(`${index} ${"x".repeat(10_000)}`));
  const all = warnings.after();
  assert.equal(all.length, 20);
  assert.ok(JSON.stringify(all).length < 25_000);
});

test("warnings of steps are in the status of the operation, which succeeds", async () => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const plan = sequence<ClusterContext>("with warnings", [
    step({ name: "first", run: async (context) => context.warn(warning("a subnet is gone")) }),
    step({ name: "second", run: async () => {} }),
  ]);
  const cluster = newCluster({ name: "demo", subscriptionId: world.subscriptionId });
  const { error, document } = await runOperation(world, database, cluster, [plan]);
  assert.equal(error, undefined);
  const { operations } = database.collections;
  const stored = await operations.find(document.partitionKey, document.asyncOperationId ?? "", signal);
  assert.deepEqual(stored?.document.asyncOperation.properties?.warnings, [warning("a subnet is gone")]);
});
