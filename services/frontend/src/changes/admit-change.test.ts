/** Tests the rules that restrict administrators' changes in addition to their roles. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { actionDigest, type ChangeFreeze } from "@keelson/admin-actions";
import type { Admission } from "@keelson/auth";
import { Secret } from "@keelson/base";
import { create } from "@keelson/database";
import type { ActionRequestDocument } from "@keelson/model";
import { countedConnections, testAction } from "../testing/actions.ts";
import { captureLog } from "../testing/captured-log.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = AbortSignal.timeout(900_000);
const ada = {
  rights: "elevated",
  subject: "tenant/ada",
  vouchesForNames: false,
  name: "ada@example.com",
} as const;
const day = 86_400_000;
const freeze: ChangeFreeze = {
  from: new Date(Date.now() - day).toISOString(),
  until: new Date(Date.now() + day).toISOString(),
  reason: "end of the year",
  emergency: true,
};
const governance = { approval: { validMinutes: 60 }, freezes: [] as ChangeFreeze[] };
const runs: string[] = [];
const run = (name: string) => async () => {
  runs.push(name);
  return { status: 200 };
};
const log = captureLog();
let admission: Admission = ada;
let frontend: TestFrontend;
let address: ClusterAddress;

before(async () => {
  frontend = await startTestFrontend({
    authorizer: async () => ({ authorize: () => admission, ready: () => true }),
    connectCluster: countedConnections().connectCluster,
    adminActions: [
      testAction("wipe", run("wipe"), { destructive: true }),
      testAction("touch", run("touch")),
      testAction("look", run("look"), { method: "GET", mutating: false }),
    ],
    governance,
    logger: log.logger,
  });
  address = await newCluster(frontend);
});
beforeEach(() => {
  runs.length = 0;
  governance.freezes = [];
  admission = ada;
});
after(() => frontend?.[Symbol.asyncDispose]());

const post = (suffix: string, headers: Record<string, string> = {}, name = "x") =>
  frontend.client.post(`/admin${address.id}/${suffix}?name=${name}`, { headers });

async function store(change: Partial<ActionRequestDocument> = {}): Promise<string> {
  const { clusters, actionRequests } = frontend.database.collections;
  const partitionKey = address.id.split("/")[2]?.toLowerCase() ?? "";
  const stored = await clusters.findBy(partitionKey, "key", address.id.toLowerCase(), signal);
  assert.ok(stored);
  const id = randomUUID();
  const now = new Date().toISOString();
  const document: ActionRequestDocument = {
    ...{ id, partitionKey, clusterKey: stored.document.key, clusterDocumentId: stored.document.id },
    ...{ newestFirst: 0, action: "POST wipe", digest: actionDigest("POST wipe", { name: "x" }) },
    ...{ parameters: {}, call: new Secret("{}"), state: "Submitted", createdAt: now, expiresAt: now },
    requestedBy: { subject: ada.subject, username: ada.name, role: "elevated" },
    submittedAt: now,
    decision: { subject: "tenant/bob", username: "bob@example.com", at: now, approved: true },
    ...change,
  };
  const { kind } = await frontend.database.commit(partitionKey, [create(actionRequests, document)], {
    signal,
  });
  assert.equal(kind, "committed");
  return id;
}

test("a destructive action needs an approved request, which runs once", async () => {
  assertError(await post("wipe"), 403, "Forbidden");
  const id = await store();
  const headers = { "x-keelson-action-request": id };
  assertError(await post("wipe", headers, "y"), 403, "Forbidden");
  assert.equal((await post("wipe", headers)).status, 200);
  assertError(await post("wipe", headers), 409, "Conflict");
  assert.deepEqual(runs, ["wipe"]);
});

test("a request without an approval, and one that does not exist, are refused", async () => {
  const id = await store({ decision: { subject: ada.subject, username: ada.name, at: "", approved: true } });
  assertError(await post("wipe", { "x-keelson-action-request": id }), 403, "Forbidden");
  assertError(await post("wipe", { "x-keelson-action-request": randomUUID() }), 404, "NotFound");
  assert.deepEqual(runs, []);
});

test("an action that is not destructive needs no approval", async () => {
  assert.equal((await post("touch")).status, 200);
  assert.deepEqual(runs, ["touch"]);
});

test("the record of an action has the caller's name for display, and the audit has subject, role, reason and outcome", async () => {
  await post("touch", { "x-keelson-reason": "incident 7" });
  const { json } = await frontend.client.get(`/admin${address.id}/actions`);
  assert.match(JSON.stringify(json), /"caller":"tenant\/ada"/);
  const lines = log
    .text()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { subject, role, because, outcome } = lines.findLast(({ logKind }) => logKind === "adminAction");
  assert.deepEqual([subject, role, because, outcome], ["tenant/ada", "elevated", "incident 7", "Succeeded"]);
});

const manifests = () => `/admin${address.id}/maintenancemanifests`;
const plan = (headers: Record<string, string> = {}) =>
  frontend.client.put(manifests(), { maintenanceTaskID: "task" }, { headers });

test("a confirmed plan of maintenance is accepted once, and so is its cancellation", async () => {
  const manifest = { maintenanceTaskID: "task" };
  const action = "PUT maintenancemanifests";
  const planned = await store({ action, digest: actionDigest(action, { manifest }) });
  const { status, json } = await plan({ "x-keelson-action-request": planned });
  assert.equal(status, 201);
  assertError(await plan({ "x-keelson-action-request": planned }), 409, "Conflict");
  const cancel = "POST maintenancemanifests/:manifestId/cancel";
  const parameters = { manifestId: `${json.id}` };
  const cancelled = await store({ action: cancel, digest: actionDigest(cancel, parameters) });
  const post = () =>
    frontend.client.post(`${manifests()}/${json.id}/cancel`, {
      headers: { "x-keelson-action-request": cancelled },
    });
  assert.equal((await post()).status, 200);
  assertError(await post(), 409, "Conflict");
});

describe("a change freeze", () => {
  beforeEach(() => {
    governance.freezes = [freeze];
  });

  test("refuses changes without a reason, and allows reads", async () => {
    const refused = await post("touch");
    assertError(refused, 403, "Forbidden");
    assert.match(refused.text, /frozen until .*: end of the year/);
    assert.equal((await frontend.client.get(`/admin${address.id}/look`)).status, 200);
    assert.deepEqual(runs, ["look"]);
  });

  test("refuses plans of maintenance, and allows their cancellation", async () => {
    governance.freezes = [];
    const { json } = await plan();
    governance.freezes = [freeze];
    assertError(await plan(), 403, "Forbidden");
    assert.equal((await frontend.client.post(`${manifests()}/${json.id}/cancel`)).status, 200);
  });

  test("allows elevated persons with a reason in an emergency only", async () => {
    const headers = { "x-keelson-reason": "incident 7" };
    assert.equal((await post("touch", headers)).status, 200);
    admission = { ...ada, rights: "operator" };
    assertError(await post("touch", headers), 403, "Forbidden");
    admission = ada;
    governance.freezes = [{ ...freeze, emergency: false }];
    assertError(await post("touch", headers), 403, "Forbidden");
  });
});
