import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { KubeError } from "@keelson/kube";
import { retryPolicy } from "./retry-policy.ts";

/** Creates an error as the Azure SDKs throw it. */
function azureError(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code, details: { error: { code, message } } });
}

const policy = retryPolicy({ authorizationRetry: { everyMs: 30_000, forMs: 600_000 } });
const denied = azureError(403, "AuthorizationFailed", "no");
const decisions: readonly [name: string, error: unknown, elapsedMs: number, decision: unknown][] = [
  ["throttling", azureError(429, "TooManyRequests", "slow down"), 0, { kind: "retry" }],
  ["a server error", azureError(503, "ServerBusy", "busy"), 0, { kind: "retry" }],
  ["a conflict in Azure", azureError(412, "PreconditionFailed", "changed"), 0, { kind: "retry" }],
  ["a group that is still going", azureError(409, "ResourceGroupBeingDeleted", "no"), 0, { kind: "retry" }],
  ["a bad request", azureError(400, "InvalidParameter", "no"), 0, { kind: "stop" }],
  ["a new right, early", denied, 0, { kind: "retry", afterMs: 30_000, unlimited: true }],
  ["a new right, too late", denied, 600_000, { kind: "stop" }],
  [
    "a new right that is already explained",
    new CloudError("InvalidServicePrincipalPermissions", "no", { cause: denied }),
    0,
    { kind: "retry", afterMs: 30_000, unlimited: true },
  ],
  [
    "a deployment that failed for now",
    new CloudError("DeploymentFailed", "no", { cause: azureError(429, "TooManyRequests", "slow down") }),
    0,
    { kind: "retry" },
  ],
  [
    "a deployment that failed for good",
    new CloudError("DeploymentFailed", "no", { cause: azureError(400, "InvalidTemplate", "no") }),
    0,
    { kind: "stop" },
  ],
  ["an explained error", new CloudError("DuplicateDomain", "taken"), 0, { kind: "stop" }],
  ["a conflict in the cluster", new KubeError(409, "Conflict", "changed"), 0, { kind: "retry" }],
  ["an unreachable API server", new KubeError(0, "Unreachable", "refused"), 0, { kind: "retry" }],
  [
    "an API server that does not know us yet",
    new KubeError(401, "Unauthorized", "who"),
    0,
    { kind: "retry" },
  ],
  ["an invalid object", new KubeError(422, "Invalid", "no"), 0, { kind: "stop" }],
  ["a bug", new TypeError("undefined is not a function"), 0, { kind: "stop" }],
];

for (const [name, error, elapsedMs, decision] of decisions) {
  test(`after ${name}: ${JSON.stringify(decision)}`, () => {
    assert.deepEqual(policy(error, { attempt: 1, elapsedMs }), decision);
  });
}
