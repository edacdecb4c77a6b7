/** Tests which confirmations run a request, and that a request runs only once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noGovernance } from "@keelson/admin-actions";
import { Secret } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { newCluster } from "@keelson/cluster/testing";
import { type ActionRequestDocument, type ClusterDocument, clusterKeys } from "@keelson/model";
import type { Login } from "../sign-in/login.ts";
import { findAction } from "./action-forms.ts";
import { newConfirmation } from "./request-documents.ts";
import { type Submission, submitted } from "./submission.ts";

const start = new Date("2026-11-29T12:00:00Z");
const clock = new ManualClock(start);
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const subscriptionId = "33333333-3333-4333-8333-333333333333";
const openShiftCluster = newCluster({ name: "demo", subscriptionId, state: "Succeeded" });
const cluster: ClusterDocument = {
  ...clusterKeys(openShiftCluster),
  ...{ id: "document", partitionKey: subscriptionId, bucket: 0, openShiftCluster },
};
const { token, confirmation } = newConfirmation(clock);
const ada: Login = {
  ...{ id: "1", username: "ada@example.com", subject: "tenant/ada", role: "elevated" },
  ...{ began: start, expires: at(3_600) },
};
const bob = { subject: "tenant/bob", username: "bob@example.com", at: start.toISOString() };

function request(change: Partial<ActionRequestDocument> = {}): ActionRequestDocument {
  return {
    ...{ id: "1", partitionKey: subscriptionId, clusterKey: cluster.key, clusterDocumentId: cluster.id },
    ...{ newestFirst: 0, action: "POST startvm", digest: "", parameters: {}, call: new Secret("{}") },
    requestedBy: { subject: "tenant/ada", username: ada.username, role: ada.role },
    state: "Ready",
    createdAt: start.toISOString(),
    expiresAt: at(300).toISOString(),
    confirmation,
    ...change,
  };
}

function submission(name: "POST startvm" | "POST stopvm", change: Partial<Submission> = {}): Submission {
  const action = findAction(name);
  assert.ok(action);
  const rules = { requireReason: false, governance: noGovernance };
  return { action, cluster, login: ada, rules, token, typedName: undefined, now: at(1), ...change };
}

test("a confirmation submits its request", () => {
  const result = submitted(request(), submission("POST startvm", { now: at(299.999) }));
  assert.deepEqual([result?.state, result?.submittedAt], ["Submitted", at(299.999).toISOString()]);
});

for (const state of ["Submitted", "Ended"] as const)
  test(`a repeated confirmation of a request in the state ${state} submits nothing`, () =>
    assert.equal(submitted(request({ state }), submission("POST startvm", { now: at(10_000) })), undefined));

describe("a confirmation is refused", () => {
  const frozen = {
    ...{ from: at(-1).toISOString(), until: at(60).toISOString(), reason: "release", emergency: false },
  };
  const approving = { requireReason: false, governance: { approval: { validMinutes: 60 }, freezes: [] } };
  const rows: readonly [
    name: string,
    message: RegExp,
    stored: Partial<ActionRequestDocument>,
    change: Partial<Submission>,
  ][] = [
    ["of a different request", /different request/, {}, { token: newConfirmation(clock).token }],
    ["that is empty", /different request/, {}, { token: "" }],
    ["of a request without one", /different request/, { confirmation: undefined as never }, {}],
    ["after five minutes", /expired/, {}, { now: at(300) }],
    ["by a different person", /different person/, {}, { login: { ...ada, subject: "tenant/eve" } }],
    ["by a sign-in without a subject", /different person/, {}, { login: withoutSubject(ada) }],
    ["for a new cluster of the name", /earlier cluster/, {}, { cluster: { ...cluster, id: "new" } }],
    ["without the role", /needs the role/, {}, { login: { ...ada, role: "reader" } }],
    ["before the approval", /not approved/, { state: "AwaitingApproval" }, {}],
    ["after the rejection", /not approved/, { state: "Rejected" }, {}],
    [
      "in a change freeze",
      /frozen/,
      {},
      { rules: { requireReason: false, governance: { freezes: [frozen] } } },
    ],
  ];
  for (const [name, message, stored, change] of rows)
    test(name, () =>
      assert.throws(() => submitted(request(stored), submission("POST startvm", change)), {
        code: "Forbidden",
        message,
      }),
    );

  const destructive: typeof rows = [
    ["without the cluster's name", /Type the name/, {}, {}],
    ["with a different name", /Type the name/, {}, { typedName: "Demo" }],
    ["without the approval of a second person", /second person/, {}, { typedName: "demo", rules: approving }],
    [
      "with the approval of its own person",
      /second person/,
      { decision: { ...bob, subject: "tenant/ada", approved: true } },
      { typedName: "demo", rules: approving },
    ],
  ];
  for (const [name, message, stored, change] of destructive)
    test(`${name}, if the action is destructive`, () =>
      assert.throws(() => submitted(request(stored), submission("POST stopvm", change)), {
        code: "Forbidden",
        message,
      }));

  test("unless a second person has approved it", () => {
    const approved = request({ decision: { ...bob, approved: true } });
    const change = { typedName: "demo", rules: approving };
    assert.equal(submitted(approved, submission("POST stopvm", change))?.state, "Submitted");
  });
});

function withoutSubject({ subject: _, ...login }: Login): Login {
  return login;
}
