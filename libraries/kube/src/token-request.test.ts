import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type KubeClient, kubeconfigWithToken, resources } from "./index.ts";
import { connect, startCluster } from "./testing/cluster.ts";
import { serviceAccountTokenOf } from "./token-request.ts";

const { signal } = new AbortController();
const account = { namespace: "default", name: "reader" };

let cluster: Awaited<ReturnType<typeof startCluster>>;
let kube: KubeClient;
before(async () => {
  cluster = await startCluster();
  kube = connect(cluster.kubeconfig);
});
after(async () => {
  await kube[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

test("a token of a service account has the account's rights, and an end", async () => {
  await assert.rejects(kube.requestToken(account, 600, signal), { code: 404 });
  const object = { apiVersion: "v1", kind: "ServiceAccount", metadata: account };
  await kube.create(resources.serviceAccounts, object, signal);
  const { token, expires } = await kube.requestToken(account, 600, signal);
  const leftMs = expires.getTime() - Date.now();
  assert.ok(leftMs > 500_000 && leftMs <= 601_000, `${leftMs}`);
  await using reader = connect(kubeconfigWithToken(cluster.kubeconfig, token));
  await assert.rejects(reader.list(resources.nodes, {}, signal), {
    code: 403,
    message: /User "system:serviceaccount:default:reader" cannot list/,
  });
});

test("a response without a token or expiry is rejected", () => {
  for (const response of [
    undefined,
    {},
    { status: { token: "x" } },
    { status: { token: "", expirationTimestamp: "2026-01-01T00:00:00Z" } },
    { status: { token: "x", expirationTimestamp: "soon" } },
  ])
    assert.throws(() => serviceAccountTokenOf(response), { reason: "InvalidAnswer" });
});
