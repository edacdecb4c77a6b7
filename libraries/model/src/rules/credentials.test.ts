import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { apiVersions } from "../api-versions/api-versions.ts";
import { errorOf, testRules } from "../testing/rule-table.ts";
import {
  identityBody,
  installedCluster,
  subscriptionId,
  testRequest,
  versionNamed,
} from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";

const sp = "properties.servicePrincipalProfile";
const profile = "properties.platformWorkloadIdentityProfile";
const group = `/subscriptions/${subscriptionId}/resourceGroups/ids`;
const identity = (name: string) =>
  `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const virtualMachine = `${group}/providers/Microsoft.Compute/virtualMachines/vm`;
const foreignIdentity = identity("cluster").replace(subscriptionId, "00000000-0000-0000-0000-00000000000f");
const identities = (platformWorkloadIdentities: Record<string, { resourceId: string }>) => ({
  properties: { platformWorkloadIdentityProfile: { platformWorkloadIdentities } },
});
const withIdentities = { body: identityBody };
const withIdentity = ["2024-08-12-preview", "2025-07-25"];
const withoutIdentity = apiVersions.map(({ name }) => name).filter((name) => !withIdentity.includes(name));

testRules([
  {
    title: "neither service principal nor identities",
    wrong: { properties: { servicePrincipalProfile: undefined } },
    target: sp,
    message: "Must provide either an identity or service principal credentials.",
    onlyCreationSays: true,
    versions: withIdentity,
  },
  {
    title: "no service principal",
    wrong: { properties: { servicePrincipalProfile: null } },
    target: `${sp}.servicePrincipalProfile`,
    message: "ServicePrincipalProfile cannot be nil in this API version.",
    versions: withoutIdentity,
  },
  {
    title: "both service principal and identities",
    wrong: { properties: { servicePrincipalProfile: { clientId: "x" } } },
    target: sp,
    message: "Cannot use identities and service principal credentials at the same time.",
    ...withIdentities,
  },
  {
    title: "a cluster identity without platform identities",
    wrong: { identity: { type: "UserAssigned", userAssignedIdentities: { [identity("x")]: {} } } },
    target: "identity",
    message: "Cluster identity and platform workload identities require each other.",
  },
  {
    title: "two cluster identities",
    wrong: { identity: { userAssignedIdentities: { [identity("x")]: {}, [identity("y")]: {} } } },
    target: "identity",
    message: "The provided cluster identity is invalid; there should be exactly one.",
    ...withIdentities,
  },
  {
    title: "a cluster identity that is a virtual machine",
    wrong: {
      identity: { userAssignedIdentities: { [virtualMachine]: {}, [identity("cluster")]: undefined } },
    },
    target: "identity",
    message: `The provided cluster identity '${virtualMachine}' is invalid: must be the resource ID of a user-assigned identity.`,
    onlyCreationSays: true,
    ...withIdentities,
  },
  {
    title: "a cluster identity of a different subscription",
    wrong: {
      identity: { userAssignedIdentities: { [foreignIdentity]: {}, [identity("cluster")]: undefined } },
    },
    target: "identity",
    message: `The provided cluster identity '${foreignIdentity}' is invalid: must be in same subscription as cluster.`,
    onlyCreationSays: true,
    ...withIdentities,
  },
  {
    title: "no platform identities",
    wrong: {
      properties: { platformWorkloadIdentityProfile: { platformWorkloadIdentities: undefined } },
    },
    onlyCreationSays: true,
    target: `${profile}.platformWorkloadIdentities`,
    message: "The set of platform workload identities cannot be empty.",
    ...withIdentities,
  },
  {
    title: "a client ID that is no UUID",
    wrong: { properties: { servicePrincipalProfile: { clientId: "client" } } },
    target: `${sp}.clientId`,
    message: "The provided client ID 'client' is invalid.",
  },
  {
    title: "an empty client secret",
    wrong: { properties: { servicePrincipalProfile: { clientSecret: "" } } },
    target: `${sp}.clientSecret`,
    message: "The provided client secret is invalid.",
  },
  {
    title: "one identity for two operators",
    wrong: identities({ ingress: { resourceId: identity("Machine-API") } }),
    target: `${profile}.PlatformWorkloadIdentities`,
    message: `ResourceID ${identity("machine-api").toLowerCase()} used by multiple identities.`,
    ...withIdentities,
  },
  {
    title: "an identity that is not a resource ID",
    wrong: identities({ ingress: { resourceId: "ingress" } }),
    target: `${profile}.PlatformWorkloadIdentities[ingress].resourceID`,
    message: "ResourceID ingress formatted incorrectly.",
    ...withIdentities,
  },
  {
    title: "an operator without name",
    wrong: identities({ "": { resourceId: identity("nobody") } }),
    target: `${profile}.PlatformWorkloadIdentities[].resourceID`,
    message: "Operator name is empty.",
    ...withIdentities,
  },
  {
    title: "an identity that is a virtual machine",
    wrong: identities({
      ingress: { resourceId: virtualMachine },
    }),
    target: `${profile}.PlatformWorkloadIdentities[ingress].resourceID`,
    message: "Resource must be a user assigned identity.",
    ...withIdentities,
  },
  {
    title: "an invalid version to upgrade to",
    wrong: { properties: { platformWorkloadIdentityProfile: { upgradeableTo: "4.17" } } },
    target: `${profile}.UpgradeableTo[4.17]`,
    message: "UpgradeableTo must be a valid OpenShift version in the format 'x.y.z'.",
    ...withIdentities,
  },
]);

test("a cluster identity is not exchanged for a virtual machine", () => {
  for (const name of withIdentity) {
    const version = versionNamed(name);
    const current = installedCluster(version, identityBody(version));
    const body = { identity: { userAssignedIdentities: { [virtualMachine]: {} } } };
    const { target, message } = errorOf(testRequest({ version, method: "PATCH", current, body })).body;
    assert.equal(target, "identity");
    assert.match(
      message,
      /virtualMachines\/vm' is invalid: must be the resource ID of a user-assigned identity\.$/,
    );
  }
});

test("a cluster may keep an identity of a different subscription, and no second one", () => {
  const version = versionNamed("2025-07-25");
  const installed = installedCluster(version, identityBody(version));
  const stored = {
    ...installed,
    managedServiceIdentity: {
      ...installed.managedServiceIdentity,
      userAssignedIdentities: { [foreignIdentity]: {} },
    },
  };
  const patch = (body: JsonObject) => testRequest({ version, method: "PATCH", current: stored, body });
  assert.deepEqual(
    Object.keys(
      applyClusterRequest(patch({ tags: { a: "b" } })).managedServiceIdentity?.userAssignedIdentities ?? {},
    ),
    [foreignIdentity],
  );
  const second = { identity: { userAssignedIdentities: { [`${foreignIdentity}-2`]: {} } } };
  assert.match(errorOf(patch(second)).body.message, /must be in same subscription as cluster/);
});
