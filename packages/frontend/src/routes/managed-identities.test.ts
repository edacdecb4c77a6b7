import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type FrontendWithCallers, startFrontendWithCallers } from "../testing/callers.ts";
import { type ClusterAddress, clusterBody } from "../testing/cluster-request.ts";
import { assertError, newAddress } from "../testing/clusters.ts";

let frontend: FrontendWithCallers;
before(async () => {
  frontend = await startFrontendWithCallers();
});
after(() => frontend[Symbol.asyncDispose]());

function identityBody(address: ClusterAddress, operators: readonly string[]): object {
  const identities = `/subscriptions/${address.subscriptionId}/resourceGroups/ids/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  const body = clusterBody(address);
  const { servicePrincipalProfile: _, ...properties } = body.properties;
  return {
    ...body,
    identity: { type: "UserAssigned", userAssignedIdentities: { [`${identities}/cluster`]: {} } },
    properties: {
      ...properties,
      platformWorkloadIdentityProfile: {
        platformWorkloadIdentities: Object.fromEntries(
          operators.map((operator) => [operator, { resourceId: `${identities}/${operator}` }]),
        ),
      },
    },
  };
}

test("the identities of a new cluster must be those of the role set, as administrators last put it", async () => {
  const address = await newAddress(frontend);
  const create = (operators: readonly string[]) =>
    frontend.client.put(address.url, identityBody(address, operators));
  const refused = await create(["ingress"]);
  assertError(refused, 400, "InvalidParameter");
  assert.match(`${refused.error.message}`, /^No PlatformWorkloadIdentityRoleSet found .* '4\.19'/);

  const role = (operatorName: string) => ({
    operatorName,
    roleDefinitionName: operatorName,
    roleDefinitionId: `/roles/${operatorName}`,
    serviceAccounts: [`system:serviceaccount:a:${operatorName}`],
  });
  await frontend.admin.put("/admin/platformworkloadidentityrolesets", {
    properties: {
      openShiftVersion: "4.19",
      platformWorkloadIdentityRoles: [role("machine-api"), role("ingress")],
    },
  });
  const limit = Date.now() + 60_000;
  let mismatch = await create(["ingress"]);
  while (mismatch.error.code === "InvalidParameter") {
    assert.ok(Date.now() < limit, mismatch.text);
    await delay(10);
    mismatch = await create(["ingress"]);
  }
  assertError(
    mismatch,
    400,
    "PlatformWorkloadIdentityMismatch",
    "There's a mismatch between the required and expected set of platform workload identities for the requested OpenShift minor version '4.19'. The required platform workload identities are '[ingress machine-api]'",
  );
  assertError(
    await create(["ingress", "machine-api"]),
    400,
    "InvalidParameter",
    "This service creates no clusters with managed identities. Use a service principal.",
    "properties.platformWorkloadIdentityProfile",
  );
});
