import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type JsonObject, silentLogger, systemClock } from "@keelson/base";
import type { Principal } from "../arm/principal.ts";
import { objectsAt } from "../base/json.ts";
import { openSubscription } from "../open-subscription.ts";
import { policyAssignmentType } from "../policy/policy-assignments.ts";
import { BlobFiles } from "../storage/blob-files.ts";
import { Store } from "../store/store.ts";
import { Deployments } from "./deployments.ts";
import { atOnce } from "./parts.ts";
import { checkPoliciesAhead } from "./policy-preflight.ts";
import { preflight } from "./preflight.ts";
import { prepare } from "./prepare.ts";
import { begun } from "./run.ts";

const [tenantId, subscriptionId] = ["t", "7a3036d1-60a1-4605-8a41-44955e050804"];
const options = { tenantId, subscriptionId, locations: ["eastus"], clock: systemClock, logger: silentLogger };

/** Returns an expression that loops over `count` entries. Each entry takes thousands of evaluation steps. */
const costly = (count: number) =>
  `[length(map(range(0, ${count}), lambda('a', length(map(range(0, 250), lambda('b', add(1, 2)))))))]`;

function worldWithGroup() {
  const subscription = openSubscription(Store.inMemory(), new BlobFiles(), options);
  subscription.store.transaction(() =>
    subscription.groups.set("g", {
      id: "/subscriptions/g",
      name: "g",
      location: "eastus",
      tags: {},
      managedBy: undefined,
      state: "Succeeded",
    }),
  );
  return subscription;
}

const place = { subscriptionId, group: "g" };
const templateOf = (resources: readonly JsonObject[]) => ({
  $schema: "x",
  contentVersion: "1.0.0.0",
  resources,
});

function partsOf(resources: readonly JsonObject[], subscription = worldWithGroup()) {
  const request = { name: "d", place, mode: "Incremental" as const };
  const template = templateOf(resources);
  const parts = prepare(subscription, { ...request, template, parameters: {}, baseUrl: "https://localhost" });
  return { subscription, parts };
}

const address = (name: string, count: number): JsonObject => ({
  type: "Microsoft.Network/publicIPAddresses",
  apiVersion: "2024-05-01",
  name,
  location: "eastus",
  properties: { value: costly(count) },
});

test("a template is evaluated in parts, resource by resource", async () => {
  const { subscription, parts } = partsOf(Array.from({ length: 40 }, (_, at) => address(`ip${at}`, 2)));
  await using _ = subscription.operations;
  let count = 1;
  let step = parts.next();
  for (; !step.done; count++) step = parts.next();
  assert.ok(count > 40, `${count} parts`);
  assert.equal(step.value.resources.length, 40);
});

const principal: Principal = { clientId: "c", objectId: "o" };
const deployer = { principal, baseUrl: "https://localhost", identityUrl: "", correlationId: "c" };

test("policies see a template in parts, resource by resource", async () => {
  const { subscription, parts } = partsOf(Array.from({ length: 20 }, (_, at) => address(`ip${at}`, 1)));
  await using _ = subscription.operations;
  const prepared = atOnce(parts);
  assert.equal([...checkPoliciesAhead(subscription, prepared, deployer)].length, 0);
  const id = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/policyAssignments/a`;
  subscription.store.transaction(() =>
    subscription.resources.put({
      id,
      name: "a",
      type: policyAssignmentType,
      body: {},
      hidden: {},
      etag: "",
      createdAt: "",
      changedAt: "",
    }),
  );
  assert.equal([...checkPoliciesAhead(subscription, prepared, deployer)].length, 20);
});

/** Mocks the clock so that the work yields to the event loop after every evaluation unit. */
function everyPartIsSlow(t: TestContext): void {
  let nowMs = 0;
  t.mock.method(performance, "now", () => {
    nowMs += 10;
    return nowMs;
  });
}

/** Returns the number of event loop iterations until the promise settles. */
async function roundsUntil(over: Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isOver = false;
  const ended = over.finally(() => {
    isOver = true;
  });
  while (!isOver && rounds < 100_000) {
    await setImmediate();
    rounds++;
  }
  await ended;
  return rounds;
}

test("evaluation of a template yields to other services", async (t) => {
  everyPartIsSlow(t);
  const clusters = Array.from({ length: 15 }, (_, at) => ({
    ...address(`c${at}`, 5),
    type: "Microsoft.RedHatOpenShift/openShiftClusters",
  }));
  const { subscription, parts } = partsOf(clusters);
  await using _ = subscription.operations;
  const prepared = atOnce(parts);
  const over = preflight(prepared, deployer, async (_target, body) => {
    assert.equal(objectsAt(body, "resources").length, 15);
    return undefined;
  });
  assert.ok((await roundsUntil(over)) >= 15);
});

test("a deployment that is resumed after a restart is evaluated in parts", async (t) => {
  everyPartIsSlow(t);
  const subscription = worldWithGroup();
  await using _ = subscription.operations;
  const { parts } = partsOf(
    Array.from({ length: 15 }, (_, at) => address(`ip${at}`, 7)),
    subscription,
  );
  const prepared = atOnce(parts);
  const work = { id: prepared.id, runId: "r", deployer, parameters: {} };
  subscription.store.transaction(() =>
    subscription.deployments.begin(begun(subscription, prepared, "c", "r"), prepared.template.source, work),
  );
  const written = Promise.withResolvers<void>();
  const respond = async () => {
    written.resolve();
    return { status: 200, body: {} };
  };
  await using deployments = new Deployments({
    subscription,
    respond,
    askProvider: undefined,
    logger: silentLogger,
  });
  const rounds = roundsUntil(written.promise);
  deployments.start();
  assert.ok((await rounds) >= 15);
});

test("a resource with too many evaluation steps is rejected", async () => {
  const { subscription, parts } = partsOf([address("dear", 100)]);
  await using _ = subscription.operations;
  assert.throws(() => [...parts], {
    code: "InvalidTemplate",
    message: /take more than 100,000 steps to evaluate\. Split the template into more resources/,
  });
});
