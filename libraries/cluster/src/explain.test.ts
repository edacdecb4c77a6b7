import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { newCluster, withIdentities } from "@keelson/model/testing";
import { explainStepError } from "./explain.ts";

const cluster = newCluster({ name: "demo" });
const managedGroupId = cluster.properties.clusterProfile.resourceGroupId;
const target = "properties.servicePrincipalProfile";
const serviceGroupId = "/subscriptions/s/resourceGroups/rp-eastus";

/** Creates an error as the Azure SDKs throw it. */
function azureError(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code, details: { error: { code, message } } });
}

function inServiceGroup(error: Error): Error {
  const url = `https://azure.example${serviceGroupId}/providers/Microsoft.Network/dnsZones/z`;
  return Object.assign(error, { request: { url } });
}

const explanations: readonly { readonly name: string; readonly error: unknown; readonly body: unknown }[] = [
  {
    name: "an application that the tenant does not know",
    error: new Error("AADSTS700016: Application with identifier 'x' was not found"),
    body: {
      code: "InvalidServicePrincipalCredentials",
      target,
      message:
        "The provided service principal application (client) ID was not found in the directory (tenant). Please ensure that the provided application (client) id and client secret value are correct.",
    },
  },
  {
    name: "a wrong secret",
    error: new Error("AADSTS7000215: Invalid client secret provided"),
    body: {
      code: "InvalidServicePrincipalCredentials",
      target,
      message:
        "Authorization using provided credentials failed. Please ensure that the provided application (client) id and client secret value are correct.",
    },
  },
  {
    name: "an expired secret",
    error: new Error("AADSTS7000222: The provided client secret keys are expired"),
    body: {
      code: "InvalidServicePrincipalCredentials",
      target,
      message: "The provided client secret is expired. Please create a new one for your service principal.",
    },
  },
  {
    name: "a service that the tenant does not know any more",
    error: azureError(
      401,
      "InvalidAuthenticationToken",
      "The received access token is not valid: at least one of the claims 'puid' or 'altsecid' or 'oid' should be present.",
    ),
    body: {
      code: "InvalidServicePrincipalClaims",
      target,
      message:
        "The Azure Red Hat Openshift resource provider service principal has been removed from your tenant. To restore, please unregister and then re-register the Azure Red Hat OpenShift resource provider.",
    },
  },
  {
    name: "an application that has lost its identity",
    error: azureError(401, "Authorization_IdentityNotFound", "The identity was not found."),
    body: {
      code: "InvalidServicePrincipalCredentials",
      target,
      message:
        "Authorization using provided credentials failed. Please ensure that the provided application (client) id and client secret value are correct.",
    },
  },
  {
    name: "a principal that the deny assignment cannot name",
    error: new CloudError("DeploymentFailed", "Deployment failed.", {
      details: [{ code: "BadRequest", message: '{"code":"NullOrInvalidGuidExcludePrincipalId"}' }],
    }),
    body: { code: "InternalServerError", message: "Internal server error." },
  },
  {
    name: "a refusal of Azure",
    error: azureError(400, "SkuNotAvailable", "The requested size is not available."),
    body: {
      code: "DeploymentFailed",
      message: "Deployment failed.",
      details: [{ code: "SkuNotAvailable", message: "The requested size is not available." }],
    },
  },
  {
    name: "an operation that Azure could not finish",
    error: new Error("The long-running operation has failed. AllocationFailed. There is no capacity left."),
    body: {
      code: "DeploymentFailed",
      message: "Deployment failed.",
      details: [
        {
          code: "AllocationFailed",
          message: "The long-running operation has failed. AllocationFailed. There is no capacity left.",
        },
      ],
    },
  },
  {
    name: "an error that is already explained",
    error: new CloudError("DuplicateDomain", "taken"),
    body: { code: "DuplicateDomain", message: "taken" },
  },
];

for (const { name, error, body } of explanations) {
  test(`${name} is explained to the customer`, () => {
    const explained = explainStepError(error, cluster, serviceGroupId);
    assert.ok(explained instanceof CloudError);
    assert.deepEqual(explained.body, body);
  });
}

test("a right that is missing for a deletion is not the service principal's", () => {
  const deleting = newCluster({ name: "demo", state: "Deleting" });
  const denied = azureError(403, "AuthorizationFailed", "no access to /subscriptions/s/x");
  const explained = explainStepError(denied, deleting, serviceGroupId);
  assert.ok(explained instanceof CloudError);
  assert.deepEqual([explained.status, explained.body.code], [403, "Forbidden"]);
  const signIn = new Error("AADSTS7000222: The provided client secret keys are expired");
  assert.equal(explainStepError(signIn, deleting, serviceGroupId), signIn);
});

test("a lock that stops a deletion is named, whichever step meets it", () => {
  const locked = inServiceGroup(azureError(409, "ScopeLocked", "The scope is locked."));
  const deleting = newCluster({ name: "demo", state: "Deleting" });
  const explained = explainStepError(locked, deleting, serviceGroupId);
  assert.ok(explained instanceof CloudError);
  assert.equal(explained.status, 409);
  assert.deepEqual([explained.body.code, explained.body.message], ["ScopeLocked", "The scope is locked."]);
});

for (const [name, error] of [
  ["trouble of Azure's own", azureError(500, "InternalError", "oops")],
  [
    "a missing right in the managed group",
    azureError(403, "AuthorizationFailed", `no access to ${managedGroupId}/x`),
  ],
  [
    "a missing right on the managed group itself",
    azureError(
      403,
      "AuthorizationFailed",
      `no access from '${managedGroupId}-2/x' over scope '${managedGroupId}' or the scope is invalid`,
    ),
  ],
  [
    "a refusal in the service's own group",
    inServiceGroup(azureError(403, "AuthorizationFailed", "no access to the zone")),
  ],
  ["a bug", new TypeError("undefined is not a function")],
] as const) {
  test(`${name} is not the customer's to repair`, () => {
    assert.equal(explainStepError(error, cluster, serviceGroupId), error);
  });
}

test("the error of a cluster with managed identities does not mention a service principal", () => {
  const withoutPrincipal = withIdentities(cluster, "https://identity.example/", "/own", {});
  const denied = azureError(403, "AuthorizationFailed", "no access to /subscriptions/s/x");
  const explained = explainStepError(denied, withoutPrincipal, serviceGroupId);
  assert.ok(explained instanceof CloudError);
  assert.deepEqual(explained.body, {
    code: "DeploymentFailed",
    message: "Deployment failed.",
    details: [{ code: "AuthorizationFailed", message: "no access to /subscriptions/s/x" }],
  });
  const signIn = new Error("AADSTS700016: Application with identifier 'x' was not found");
  assert.equal(explainStepError(signIn, withoutPrincipal, serviceGroupId), signIn);
});
