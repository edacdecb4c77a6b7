import assert from "node:assert/strict";
import type { Check } from "../support/check.ts";
import { assertRefused, assertStatus } from "../support/expect.ts";
import type { Service } from "../support/service.ts";
import { theWorld } from "../support/world.ts";

const member = "properties.platformWorkloadIdentityProfile.platformWorkloadIdentities";

async function show(service: Service) {
  const { body } = await service.arm.get(service.cluster("identities"));
  return body;
}

/** Checks of clusters with managed identities. */
export const identityChecks: readonly Check[] = [
  {
    id: "api 13",
    what: "every operator needs an identity",
    async run(service) {
      const body = service.identityRequest("other");
      const { platformWorkloadIdentities } = body.properties.platformWorkloadIdentityProfile;
      const { ingress, ...others } = platformWorkloadIdentities;
      assert.ok(ingress);
      body.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities = others;
      const required = Object.keys(platformWorkloadIdentities).sort().join(" ");
      assertRefused(await service.arm.put(service.cluster("other"), body), {
        code: "PlatformWorkloadIdentityMismatch",
        target: "properties.PlatformWorkloadIdentityProfile.PlatformWorkloadIdentities",
        message: `There's a mismatch between the required and expected set of platform workload identities for the requested OpenShift minor version '4.19'. The required platform workload identities are '[${required}]'`,
      });
    },
  },
  {
    id: "api 14",
    what: "versions without identities show such a cluster, and do not change it",
    async run(service) {
      const path = service.cluster("identities", "2023-11-22");
      const response = await service.arm.patch(path, {});
      assertRefused(response, {
        code: "InvalidParameter",
        target: "properties.servicePrincipalProfile.servicePrincipalProfile",
        message: "ServicePrincipalProfile cannot be nil in this API version.",
      });
      const { status, body } = await service.arm.get(path);
      assert.equal(status, 200);
      assert.equal(body.identity, undefined);
      assert.equal(body.properties.platformWorkloadIdentityProfile, undefined);
    },
  },
  {
    id: "api 15a",
    what: "the cluster's own identity is replaced, not added to",
    async run(service) {
      const other = await service.makeIdentity("identities-replacement", "cluster");
      const { response, operation } = await service.update("identities", {
        identity: { type: "UserAssigned", userAssignedIdentities: { [other]: {} } },
      });
      assertStatus(response, 200);
      assert.deepEqual(Object.keys(response.body.identity.userAssignedIdentities), [other]);
      assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
      const { identity } = await show(service);
      assert.deepEqual(Object.keys(identity.userAssignedIdentities), [other]);
    },
  },
  {
    id: "api 15b",
    what: "an operator's new identity is unknown until the worker has asked for it",
    async run(service) {
      const before = (await show(service)).properties.platformWorkloadIdentityProfile
        .platformWorkloadIdentities;
      assert.match(before.ingress.clientId, /^[0-9a-f-]{36}$/);
      const resourceId = await service.makeIdentity("ingress-replacement", "ingress");
      const response = await service.arm.patch(service.cluster("identities"), {
        properties: {
          platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: { resourceId } } },
        },
      });
      assertStatus(response, 200);
      const during = response.body.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities;
      assert.deepEqual(during.ingress, { resourceId });
      assert.deepEqual(during["machine-api"], before["machine-api"]);
      const operation = await service.settle(response);
      assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
      const { ingress } = (await show(service)).properties.platformWorkloadIdentityProfile
        .platformWorkloadIdentities;
      assert.match(ingress.clientId, /^[0-9a-f-]{36}$/);
      assert.notEqual(ingress.clientId, before.ingress.clientId);
    },
  },
  {
    id: "api 15c",
    what: "an operator's identity cannot go",
    async run(service) {
      const { identities } = theWorld().created;
      assert.ok(identities);
      const kept = identities.body.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities;
      const { ingress, ...others } = kept;
      assert.ok(ingress);
      const body = service.identityRequest("identities");
      body.properties.clusterProfile = (await show(service)).properties.clusterProfile;
      delete body.properties.clusterProfile.oidcIssuer;
      body.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities = others;
      const response = await service.arm.put(service.cluster("identities"), body);
      assertRefused(response, {
        code: "PropertyChangeNotAllowed",
        target: member,
        message: "Operator identity cannot be removed or have its name changed.",
      });
    },
  },
];
