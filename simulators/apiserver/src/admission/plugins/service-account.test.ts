import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { type Response, TestServer } from "../../testing/test-server.ts";

const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const namespace = "/api/v1/namespaces/default";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

async function createPod(name: string, spec: object, annotations: object = {}): Promise<Response> {
  const containers = [{ name: "c", image: "i" }];
  const body = { metadata: { name, annotations }, spec: { containers, ...spec } };
  return server.call("POST", `${namespace}/pods`, { body });
}

test("a pod gets the default service account and its token in every container", async () => {
  const { body, status } = await createPod("plain", { initContainers: [{ name: "first", image: "i" }] });
  assert.equal(status, 201);
  assert.equal(valueAt(body, "spec", "serviceAccountName"), "default");
  assert.equal(valueAt(body, "spec", "serviceAccount"), "default");
  const [volume] = listAt(body, "spec", "volumes");
  const name = scalarStringAt(volume, "name");
  assert.match(name, /^kube-api-access-[a-z0-9]{5}$/);
  const sources = listAt(volume, "projected", "sources");
  assert.deepEqual(
    sources.flatMap((each) => Object.keys(objectAt(each))),
    ["serviceAccountToken", "configMap", "downwardAPI"],
  );
  for (const container of [
    ...listAt(body, "spec", "containers"),
    ...listAt(body, "spec", "initContainers"),
  ]) {
    assert.deepEqual(valueAt(container, "volumeMounts"), [{ name, readOnly: true, mountPath }]);
  }
});

test("a pod gets the pull secrets of its account, and the pod or account can disable the token", async () => {
  const account = {
    metadata: { name: "quiet" },
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: "pull" }],
  };
  await server.call("POST", `${namespace}/serviceaccounts`, { body: account });
  const quiet = (await createPod("quiet", { serviceAccountName: "quiet" })).body;
  assert.deepEqual(valueAt(quiet, "spec", "imagePullSecrets"), [{ name: "pull" }]);
  assert.equal(valueAt(quiet, "spec", "volumes"), undefined);
  const own = {
    serviceAccountName: "quiet",
    automountServiceAccountToken: true,
    imagePullSecrets: [{ name: "own" }],
  };
  const loud = (await createPod("loud", own)).body;
  assert.deepEqual(valueAt(loud, "spec", "imagePullSecrets"), [{ name: "own" }]);
  assert.equal(listAt(loud, "spec", "volumes").length, 1);
  const mounted = { name: "c", image: "i", volumeMounts: [{ name: "mine", mountPath }] };
  const kept = (await createPod("kept", { containers: [mounted], volumes: [{ name: "mine", emptyDir: {} }] }))
    .body;
  assert.equal(listAt(kept, "spec", "volumes").length, 1);
});

test("a pod with a missing account is rejected, and a mirror pod has none", async () => {
  const refused = await createPod("lost", { serviceAccountName: "missing" });
  assert.equal(refused.status, 403);
  assert.equal(
    scalarStringAt(refused.body, "message"),
    'pods "lost" is forbidden: error looking up service account default/missing: serviceaccount "missing" not found',
  );
  const mirrored = await createPod("mirror", { nodeName: "n" }, { "kubernetes.io/config.mirror": "x" });
  assert.equal(mirrored.status, 201, mirrored.text);
  assert.equal(valueAt(mirrored.body, "spec", "serviceAccountName"), undefined);
});
