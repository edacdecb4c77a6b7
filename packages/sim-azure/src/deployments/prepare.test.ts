import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, silentLogger, systemClock } from "@keelson/base";
import { openWorld } from "../open-world.ts";
import { BlobFiles } from "../storage/blob-files.ts";
import { Store } from "../store/store.ts";
import { prepareInParts } from "./prepare.ts";

const [tenantId, subscriptionId] = ["t", "7a3036d1-60a1-4605-8a41-44955e050804"];
const options = { tenantId, subscriptionId, locations: ["eastus"], clock: systemClock, logger: silentLogger };

/** An expression that takes thousands of steps for each of `count`. */
const costly = (count: number) =>
  `[length(map(range(0, ${count}), lambda('a', length(map(range(0, 250), lambda('b', add(1, 2)))))))]`;

function partsOf(resources: readonly JsonObject[]) {
  const world = openWorld(new Store(), new BlobFiles(), options);
  world.store.transaction(() =>
    world.groups.set("g", {
      id: "/subscriptions/g",
      name: "g",
      location: "eastus",
      tags: {},
      managedBy: undefined,
      state: "Succeeded",
    }),
  );
  const template = { $schema: "x", contentVersion: "1.0.0.0", resources };
  const request = { name: "d", place: { subscriptionId, group: "g" }, mode: "Incremental" as const };
  const parts = prepareInParts(world, { ...request, template, parameters: {}, baseUrl: "https://localhost" });
  return { world, parts };
}

const address = (name: string, count: number): JsonObject => ({
  type: "Microsoft.Network/publicIPAddresses",
  apiVersion: "2024-05-01",
  name,
  location: "eastus",
  properties: { value: costly(count) },
});

test("a template is evaluated in parts, resource by resource", async () => {
  const { world, parts } = partsOf(Array.from({ length: 40 }, (_, at) => address(`ip${at}`, 2)));
  await using _ = world.operations;
  let count = 1;
  let step = parts.next();
  for (; !step.done; count++) step = parts.next();
  assert.ok(count > 40, `${count} parts`);
  assert.equal(step.value.resources.length, 40);
});

test("one resource may take no more than others can wait for", async () => {
  const { world, parts } = partsOf([address("dear", 100)]);
  await using _ = world.operations;
  assert.throws(() => [...parts], {
    code: "InvalidTemplate",
    message: /take more than 100,000 steps to evaluate\. Split the template into more resources/,
  });
});
