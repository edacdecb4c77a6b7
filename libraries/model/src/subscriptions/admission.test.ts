import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError, type ProvisioningState, provisioningStates } from "@keelson/arm";
import { type SubscriptionState, subscriptionStates } from "../documents/subscription-document.ts";
import { installedCluster, versionNamed } from "../testing/test-cluster.ts";
import { assertRequestAllowed, assertSubscriptionAllows, type RequestKind } from "./admission.ts";

const created = "Request is not allowed on cluster whose creation failed. Delete the cluster.";
const deleted = "Request is not allowed on cluster whose deletion failed. Delete the cluster.";
const busy = (state: string) => `Request is not allowed in provisioningState '${state}'.`;

type Told = string | undefined;
type Row = readonly [
  ProvisioningState,
  ProvisioningState | undefined,
  write?: Told,
  remove?: Told,
  credentials?: Told,
];

/**
 * Expected errors of writes, deletions and credential requests. The first columns are the provisioning state and the failed
 * provisioning state.
 */
const rows: readonly Row[] = [
  ["Succeeded", undefined],
  ["Creating", undefined, busy("Creating"), busy("Creating"), busy("Creating")],
  ["Deleting", undefined, busy("Deleting"), busy("Deleting"), busy("Deleting")],
  ["Updating", undefined, busy("Updating"), busy("Updating")],
  ["AdminUpdating", undefined, busy("AdminUpdating"), busy("AdminUpdating")],
  ["Failed", "Creating", created, undefined, busy("Failed")],
  ["Failed", "Deleting", deleted, undefined, busy("Failed")],
  ["Failed", "Updating"],
  ["Failed", "AdminUpdating"],
  ["Failed", undefined],
  ["Updating", "Creating", busy("Updating"), busy("Updating")],
  ["Succeeded", "Creating"],
];

for (const [state, failed, write, remove, credentials] of rows) {
  test(`a cluster ${state}${failed ? ` from ${failed}` : ""} allows what it should`, () => {
    assert.equal(refusal(state, failed, "write"), write);
    assert.equal(refusal(state, failed, "delete"), remove);
    assert.equal(refusal(state, failed, "listCredentials"), credentials);
    assert.equal(refusal(state, failed, "listAdminCredentials"), credentials);
  });
}

test("a creation that failed of what may pass can be asked for again, and not otherwise be changed", () => {
  const cluster = clusterIn("Failed", "Creating");
  const resumable = { ...cluster, properties: { ...cluster.properties, creationResumable: true } };
  assert.equal(
    thrownBy(() => assertRequestAllowed(resumable, "replace")),
    undefined,
  );
  for (const [told, kind] of [
    [resumable, "write"],
    [cluster, "replace"],
  ] as const) {
    assert.equal(thrownBy(() => assertRequestAllowed(told, kind))?.message, created);
  }
});

test("every provisioning state is in the table", () => {
  assert.deepEqual(new Set(rows.map(([state]) => state)), new Set(provisioningStates));
});

test("a state at failure that cannot be is an error of ours", () => {
  const error = thrownBy(() => assertRequestAllowed(clusterIn("Failed", "Succeeded"), "write"));
  assert.equal(error?.status, 500);
});

const allowed: Readonly<Record<RequestKind, readonly SubscriptionState[]>> = {
  write: ["Registered"],
  replace: ["Registered"],
  delete: ["Registered", "Warned", "Suspended"],
  listCredentials: ["Registered"],
  listAdminCredentials: ["Registered"],
};

for (const kind of ["write", "delete", "listCredentials", "listAdminCredentials"] as const) {
  test(`subscriptions allow ${kind} where they should`, () => {
    const unknown = thrownBy(() => assertSubscriptionAllows(undefined, "sub", kind));
    assert.deepEqual(unknown?.body, {
      code: "InvalidSubscriptionState",
      message: "Request is not allowed in unregistered subscription 'sub'.",
    });
    for (const state of subscriptionStates) {
      const error = thrownBy(() => assertSubscriptionAllows({ state }, "sub", kind));
      const message = `Request is not allowed in subscription in state '${state}'.`;
      assert.equal(error?.body.message, allowed[kind].includes(state) ? undefined : message);
    }
  });
}

function clusterIn(state: ProvisioningState, failed: ProvisioningState | undefined) {
  const cluster = installedCluster(versionNamed("2025-07-25"));
  const properties = { ...cluster.properties, provisioningState: state };
  return {
    ...cluster,
    properties: failed ? { ...properties, failedProvisioningState: failed } : properties,
  };
}

function refusal(state: ProvisioningState, failed: ProvisioningState | undefined, kind: RequestKind) {
  const error = thrownBy(() => assertRequestAllowed(clusterIn(state, failed), kind));
  if (error) assert.deepEqual([error.status, error.body.code], [400, "RequestNotAllowed"]);
  return error?.body.message;
}

function thrownBy(action: () => void): CloudError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof CloudError);
    return error;
  }
}
