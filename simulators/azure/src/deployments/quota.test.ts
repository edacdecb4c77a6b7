import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type JsonObject, silentLogger, systemClock } from "@keelson/base";
import { openSubscription } from "../open-subscription.ts";
import { BlobFiles } from "../storage/blob-files.ts";
import { Store } from "../store/store.ts";
import type { Deployment } from "./deployment.ts";
import type { DeploymentSubscription } from "./deployment-subscription.ts";
import { requireRoom, trimHistory } from "./quota.ts";

const [tenantId, subscriptionId] = ["t", "7a3036d1-60a1-4605-8a41-44955e050804"];
const place = { subscriptionId, group: "g" };
const scope = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const idOf = (at: number) => `${scope}/providers/Microsoft.Resources/deployments/d${at}`;
const principal = { clientId: "c", objectId: "o" };
const deployer = { principal, baseUrl: "https://localhost", identityUrl: "", correlationId: "x" };

/** Creates a subscription and a group with `count` deployments, oldest first. */
function worldWith(
  count: number,
  more: Partial<Deployment> = {},
  template: JsonObject = {},
): DeploymentSubscription {
  const store = Store.inMemory();
  const options = {
    tenantId,
    subscriptionId,
    locations: ["eastus"],
    clock: systemClock,
    logger: silentLogger,
  };
  const subscription = openSubscription(store, new BlobFiles(), options);
  store.transaction(() => {
    subscription.settings.change({ rights: { [principal.clientId]: "everything" } });
    for (let at = 0; at < count; at++) {
      const startedAt = new Date(1e12 + at * 1_000).toISOString();
      const times = { startedAt, timestamp: startedAt };
      const ids = { id: idOf(at), name: `d${at}`, runId: `run${at}`, correlationId: "x" };
      const empty = { parameters: {}, providers: [], dependencies: [], operations: [], templateHash: "1" };
      const deployment: Deployment = { ...ids, ...times, ...empty, mode: "Incremental", state: "Succeeded" };
      subscription.deployments.begin({ ...deployment, ...more }, { ...template });
    }
  });
  return subscription;
}

const names = (subscription: DeploymentSubscription) =>
  subscription.deployments.below(scope).map(({ name }) => name);
const trim = (subscription: DeploymentSubscription) =>
  subscription.store.transaction(() => trimHistory(subscription, place, deployer));

describe("the history of deployments", () => {
  test("is not trimmed until it has more than 700", async () => {
    const subscription = worldWith(700);
    await using _ = subscription.operations;
    trim(subscription);
    assert.equal(names(subscription).length, 700);
  });

  test("then loses its oldest until 600 remain", async () => {
    const subscription = worldWith(701);
    await using _ = subscription.operations;
    trim(subscription);
    assert.deepEqual([names(subscription).length, names(subscription)[0]], [600, "d101"]);
  });

  test("retains deployments in progress and locked ones, and is full at 800", async () => {
    const subscription = worldWith(800, { state: "Running" });
    await using _ = subscription.operations;
    trim(subscription);
    assert.equal(names(subscription).length, 800);
    assert.throws(() => requireRoom(subscription, place, idOf(900), "d900"), {
      status: 409,
      code: "DeploymentQuotaExceeded",
      message: /exceed the quota of '800'. The current deployment count is '800'/,
    });
    assert.doesNotThrow(() => requireRoom(subscription, place, idOf(1), "d1"));
  });

  test("loses its oldest when all histories together use too much memory", async () => {
    const subscription = worldWith(20, {}, { text: "x".repeat(4 * 1024 * 1024) });
    await using _ = subscription.operations;
    trim(subscription);
    assert.deepEqual([names(subscription).length, names(subscription)[0]], [15, "d5"]);
  });
});
