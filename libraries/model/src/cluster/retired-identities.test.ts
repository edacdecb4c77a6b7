import assert from "node:assert/strict";
import { test } from "node:test";
import { identityBody, installedCluster, testRequest, versionNamed } from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";

const newest = versionNamed("2025-07-25");
const first = installedCluster(newest, identityBody(newest));
const identities = first.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities ?? {};
const { ingress } = identities;

function exchange(current: OpenShiftCluster, resourceId: string): OpenShiftCluster {
  const { failedProvisioningState: _, ...properties } = current.properties;
  const settled = {
    ...current,
    properties: { ...properties, provisioningState: "Succeeded" as const },
  };
  const body = {
    properties: {
      platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: { resourceId } } },
    },
  };
  return applyClusterRequest(testRequest({ version: newest, method: "PATCH", current: settled, body }));
}

test("an identity that was exchanged is remembered, with what was known about it", () => {
  const id = ingress?.resourceId ?? "";
  const second = exchange(first, `${id}2`);
  assert.deepEqual(second.properties.retiredIdentities, [ingress]);
  const third = exchange(second, `${id}3`);
  assert.deepEqual(third.properties.retiredIdentities, [ingress, { resourceId: `${id}2` }]);
  const back = exchange(third, id.toUpperCase());
  assert.deepEqual(
    back.properties.retiredIdentities?.map(({ resourceId }) => resourceId),
    [`${id}2`, `${id}3`],
  );
});

test("where nothing is exchanged, nothing is remembered", () => {
  const updated = exchange(first, ingress?.resourceId ?? "");
  assert.equal("retiredIdentities" in updated.properties, false);
});
