import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { create, createKeyring, generateKey } from "@keelson/database";
import type { AdminActionDocument } from "@keelson/model";
import { sealedRecord } from "../admin-actions/running/action-request.ts";
import { captureLog } from "../testing/captured-log.ts";
import { clusterBody } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";
import { storedCluster } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const log = captureLog();
const k1 = generateKey();
const first = createKeyring({ current: "k1", keys: { k1 } });
let keyring = first;
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend({
    logger: log.logger,
    keyring: { currentKeyId: () => keyring.currentKeyId(), key: (id) => keyring.key(id) },
  });
});
after(() => frontend[Symbol.asyncDispose]());

for (const { name, damaged, code, says } of [
  {
    name: "whose key is missing",
    damaged: createKeyring({ current: "k2", keys: { k2: generateKey() } }),
    code: "EncryptionKeyMissing",
    says: "Key k1 is needed for",
  },
  {
    name: "that were altered",
    damaged: createKeyring({ current: "k1", keys: { k1: generateKey() } }),
    code: "SecretTampered",
    says: "does not belong there",
  },
]) {
  test(`a cluster with secrets ${name} is shown, and fails where they are needed`, async () => {
    keyring = first;
    const { client, database } = frontend;
    const address = await newCluster(frontend);
    const before = await storedCluster(database, address);
    const list = address.url.replace(/\/openshiftclusters\/[^?]*/i, "/openShiftClusters");
    const shown = (await client.get(address.url)).text;
    const listed = (await client.get(list)).text;
    keyring = damaged;
    assert.equal((await client.get(address.url)).text, shown);
    assert.equal((await client.get(list)).text, listed);

    const needing = [
      { path: "kubeadminPassword", response: () => client.post(actionUrl(address.url, "listCredentials")) },
      {
        path: "userAdminKubeconfig",
        response: () => client.post(actionUrl(address.url, "listAdminCredentials")),
      },
      {
        path: "servicePrincipalProfile.clientSecret",
        response: () => client.put(address.url, clusterBody(address)),
      },
      {
        path: "servicePrincipalProfile.clientSecret",
        response: () => client.patch(address.url, { tags: { a: "b" } }),
      },
    ];
    for (const { path, response } of needing) {
      const logged = log.text().length;
      assertError(await response(), 500, "InternalServerError", "Internal server error.");
      const lines = log.text().slice(logged);
      assert.ok(lines.includes("request failed"), lines);
      const place = `properties.${path} of document ${before.document.id} in openshift_clusters`;
      for (const part of [code, says, place]) assert.ok(lines.includes(part), `${part} in ${lines}`);
    }

    keyring = first;
    const { document, etag } = await storedCluster(database, address);
    assert.equal(etag, before.etag);
    assert.deepEqual(document.openShiftCluster, before.document.openShiftCluster);
    const { json } = await client.post(actionUrl(address.url, "listCredentials"));
    assert.equal(json.kubeadminPassword, "kubeadmin-password-of-the-test");
  });
}

test("an action with a record that cannot be opened hides no other action, and releases its cluster", async () => {
  keyring = first;
  const { client, database } = frontend;
  const address = await newCluster(frontend);
  const actions = `/admin${address.id}/actions`;
  const act = () => client.post(`/admin${address.id}/startvm?vmName=demo-x7k2p-master-0`);
  assertError(await act(), 503, "ServiceUnavailable");
  const { partitionKey, key } = (await storedCluster(database, address)).document;
  const { adminActions } = database.collections;
  const id = randomUUID();
  keyring = createKeyring({ current: "k2", keys: { k1, k2: generateKey() } });
  const dead: AdminActionDocument = {
    id,
    partitionKey,
    openShiftClusterKey: key,
    lockKey: key,
    newestFirst: -Date.now(),
    action: "redeployvm",
    requestId: randomUUID(),
    parameters: {},
    resumable: true,
    state: "Running",
    startedAt: new Date().toISOString(),
    record: sealedRecord({ progress: ["half way"], steps: {} }),
  };
  const signal = AbortSignal.timeout(900_000);
  const { kind } = await database.commit(partitionKey, [create(adminActions, dead)], { signal });
  assert.equal(kind, "committed");
  keyring = first;
  const shown = async () => {
    const { json, status, text } = await client.get(actions);
    assert.equal(status, 200, text);
    return (Array.isArray(json.value) ? json.value : []).map((each: unknown) => {
      const { action, state, progress, recordError } = Object(each);
      return [action, state, progress, Object(recordError).code];
    });
  };
  const started = ["startvm", "Failed", [], undefined];
  assert.deepEqual(await shown(), [["redeployvm", "Running", [], "EncryptionKeyMissing"], started]);
  const one = await client.get(`${actions}/${id}`);
  assert.match(`${Object(one.json.recordError).message}`, /Key k2 is needed for record of document/);
  // The action has ended with an error, because no process can resume it.
  assertError(await act(), 503, "ServiceUnavailable");
  assert.deepEqual(await shown(), [started, ["redeployvm", "Interrupted", [], undefined], started]);
});

function actionUrl(url: string, action: string): string {
  return url.replace("?", `/${action}?`);
}
