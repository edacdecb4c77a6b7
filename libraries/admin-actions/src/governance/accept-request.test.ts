import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { Secret, timeLimit } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import type { ActionRequestDocument, ClusterDocument, ServiceDatabase } from "@keelson/model";
import { acceptRequest, type RequestedCall } from "./accept-request.ts";
import { actionDigest } from "./action-digest.ts";

const signal = timeLimit(900_000);
const now = new Date("2026-11-29T12:00:00Z");
const clock = new ManualClock(now);
const subscription = "33333333-3333-4333-8333-333333333333";
const key = `/subscriptions/${subscription}/resourcegroups/g/providers/x/y/demo`;
const digest = actionDigest("POST stopvm", { vmName: "a" });
const ada = { subject: "tenant/ada", username: "ada@example.com" };
const bob = { subject: "tenant/bob", username: "bob@example.com" };
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();

let database: ServiceDatabase & AsyncDisposable;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

async function store(change: Partial<ActionRequestDocument>): Promise<string> {
  const id = randomUUID();
  const document: ActionRequestDocument = {
    ...{ id, partitionKey: subscription, clusterKey: key, clusterDocumentId: "doc", newestFirst: 0 },
    ...{ action: "POST stopvm", digest, parameters: {}, call: new Secret("{}") },
    requestedBy: { ...ada, role: "elevated" },
    state: "Submitted",
    createdAt: secondsAgo(120),
    expiresAt: secondsAgo(-180),
    submittedAt: secondsAgo(1),
    ...change,
  };
  const { kind } = await database.commit(
    subscription,
    [create(database.collections.actionRequests, document)],
    {
      signal,
    },
  );
  assert.equal(kind, "committed");
  return id;
}

// Document of a cluster. The field `key` is the cluster's document key.
const cluster = { id: "doc", key, partitionKey: subscription } as unknown as ClusterDocument;
const accept = (id: string, change: Partial<RequestedCall> = {}) =>
  acceptRequest(
    database,
    { id, subject: ada.subject, cluster, digest, needsApproval: false, ...change },
    { clock, signal },
  );

const refusal = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof CloudError && error.body.code === code && message.test(error.message);

test("a request is accepted once, also of calls at the same time", async () => {
  const id = await store({});
  const results = await Promise.allSettled([accept(id), accept(id), accept(id)]);
  const accepted = results.filter(({ status }) => status === "fulfilled");
  assert.equal(accepted.length, 1);
  await assert.rejects(accept(id), refusal("Conflict", /accepted before/));
});

const approved = { ...bob, at: secondsAgo(30), approved: true };
test("an approved request is accepted", async () => {
  const id = await store({ decision: approved });
  await accept(id, { needsApproval: true });
});

describe("a request is not accepted", () => {
  const rows: readonly [
    name: string,
    stored: Partial<ActionRequestDocument>,
    call: Partial<RequestedCall>,
    message: RegExp,
  ][] = [
    ["of a different person", {}, { subject: bob.subject }, /different person/],
    ["of a caller without a subject", {}, { subject: undefined }, /different person/],
    ["for an earlier cluster of the name", { clusterDocumentId: "old" }, {}, /different cluster/],
    ["for a different cluster", { clusterKey: `${key}-2` }, {}, /different cluster/],
    [
      "with different parameters",
      {},
      { digest: actionDigest("POST stopvm", { vmName: "b" }) },
      /different parameters/,
    ],
    [
      "for a different action",
      {},
      { digest: actionDigest("POST startvm", { vmName: "a" }) },
      /different action/,
    ],
    ["before its confirmation", { state: "Ready" }, {}, /not confirmed/],
    ["that waits for approval", { state: "AwaitingApproval" }, {}, /not confirmed/],
    ["after its outcome", { state: "Ended" }, {}, /not confirmed/],
    ["long after its submission", { submittedAt: secondsAgo(61) }, {}, /not confirmed/],
    ["without an approval", {}, { needsApproval: true }, /approval/],
    [
      "after a rejection",
      { decision: { ...approved, approved: false } },
      { needsApproval: true },
      /approval/,
    ],
    [
      "approved by its own person",
      { decision: { ...approved, ...ada } },
      { needsApproval: true },
      /approval/,
    ],
  ];
  for (const [name, stored, call, message] of rows)
    test(name, async () => {
      const id = await store(stored);
      await assert.rejects(accept(id, call), refusal("Forbidden", message));
      const found = await database.collections.actionRequests.find(subscription, id, signal);
      assert.equal(found?.document.acceptedAt, undefined);
    });

  test("that does not exist", () => assert.rejects(accept(randomUUID()), refusal("NotFound", /not found/)));
});
