import assert from "node:assert/strict";
import { test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { newOperation } from "./new-operation.ts";

const request = {
  subscriptionId: "00000000-0000-0000-0000-000000000001",
  location: "eastus",
  key: resourceKey("/subscriptions/1/resourceGroups/g/providers/a/openShiftClusters/c"),
  state: "Deleting",
  startTime: new Date(0),
} as const;

test("a new operation has its lower-case resource ID and no progress", () => {
  assert.deepEqual(newOperation({ ...request, id: "A1" }), {
    id: "A1",
    partitionKey: request.subscriptionId,
    openShiftClusterKey: request.key,
    kind: "Deleting",
    asyncOperation: {
      id: `/subscriptions/${request.subscriptionId}/providers/microsoft.redhatopenshift/locations/eastus/operationsstatus/a1`,
      name: "A1",
      status: "Deleting",
      startTime: "1970-01-01T00:00:00.000Z",
      percentComplete: 0,
    },
  });
});

test("a new operation has a random ID and the correlation ID of its request", () => {
  const [one, other] = [1, 2].map(() => newOperation({ ...request, correlationId: "c" }));
  assert.notEqual(one?.id, other?.id);
  assert.equal(one?.correlationId, "c");
});
