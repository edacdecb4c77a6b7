import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../../apis/testing/api-world.ts";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { registryPullSecrets } from "./controller.ts";
import { renewalOf, tokenIn, withPullSecret } from "./pull-secret.ts";

const reference = "openshift.io/internal-registry-pull-secret-ref";
const host = "image-registry.openshift-image-registry.svc:5000";
const hosts = [host, "image-registry.openshift-image-registry.svc.cluster.local:5000"];
const singleton = { name: "cluster" };

const accountNamed = (namespace: string, name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { namespace, name },
});

async function start(): Promise<ApiWorld> {
  const world = await ApiWorld.start([registryPullSecrets]);
  const { client } = world;
  await ensureObject(client, resources.imageConfigs, {
    apiVersion: "config.openshift.io/v1",
    kind: "Image",
    metadata: singleton,
    spec: {},
    status: { internalRegistryHostname: host },
  });
  await client.create(resources.imageRegistries, {
    apiVersion: "imageregistry.operator.openshift.io/v1",
    kind: "Config",
    metadata: singleton,
    spec: { managementState: "Managed", replicas: 2, storage: { emptyDir: {} } },
  });
  return world;
}

/** Waits until the account has a pull secret with a token. Returns the account, the secret and the token. */
function provided(world: ApiWorld, namespace: string, name: string) {
  return eventually(async () => {
    const account = await world.client.get(resources.serviceAccounts, { namespace, name });
    const secretName = account.metadata.annotations?.[reference] ?? "";
    assert.match(secretName, new RegExp(`^${name}-dockercfg-[a-z0-9]{5}$`));
    const secret = await world.client.get(resources.secrets, { namespace, name: secretName });
    const token = tokenIn(secret, hosts) ?? assert.fail("the pull secret has no token");
    return { account, secret, token };
  });
}

test("an account has a pull secret with a separate registry token until the registry is removed", async () => {
  await using world = await start();
  const { client } = world;
  const own = { name: "mine" };
  await client.create(resources.serviceAccounts, {
    ...accountNamed("default", "app"),
    imagePullSecrets: [own],
  });
  const { account, secret, token } = await provided(world, "default", "app");
  const { name } = secret.metadata;
  assert.deepEqual(account.imagePullSecrets, [own, { name }]);
  assert.deepEqual(account.secrets, [{ name }]);
  assert.equal(secret.type, "kubernetes.io/dockercfg");
  assert.deepEqual(secret.metadata.annotations, {
    "openshift.io/internal-registry-auth-token.binding": "bound",
    "openshift.io/internal-registry-auth-token.service-account": "app",
  });
  assert.equal(secret.metadata.ownerReferences?.[0]?.uid, account.metadata.uid);
  const review = await world.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
  });
  assert.equal(stringAt(review.body, "status", "user", "username"), "system:serviceaccount:default:app");

  const registry = await client.get(resources.imageRegistries, singleton);
  await client.mergePatch(resources.imageRegistries, registry.metadata, {
    spec: { managementState: "Removed" },
  });
  await eventually(async () => {
    const after = await client.get(resources.serviceAccounts, { namespace: "default", name: "app" });
    assert.equal(after.metadata.annotations?.[reference], undefined);
    assert.deepEqual(listAt(after, "imagePullSecrets"), [own]);
    assert.deepEqual(listAt(after, "secrets"), []);
    assert.equal(await client.find(resources.secrets, { namespace: "default", name }), undefined);
  });
});

test("a deleted pull secret is restored, and namespaces of the release have none", async () => {
  await using world = await start();
  const before = await provided(world, "default", "builder");
  await world.client.delete(resources.secrets, before.secret.metadata);
  const after = await eventually(async () => {
    const found = await provided(world, "default", "builder");
    assert.notEqual(found.secret.metadata.uid, before.secret.metadata.uid);
    return found;
  });
  assert.equal(after.secret.metadata.name, before.secret.metadata.name);
  const { items } = await world.client.list(resources.secrets, { namespace: "openshift" });
  assert.deepEqual(
    items.filter(({ type }) => type === "kubernetes.io/dockercfg"),
    [],
  );
});

test("an account that has lost its annotation keeps its pull secret", async () => {
  await using world = await start();
  const before = await provided(world, "default", "deployer");
  const annotations = { [reference]: null };
  await world.client.mergePatch(resources.serviceAccounts, before.account.metadata, {
    metadata: { annotations },
    imagePullSecrets: null,
  });
  const after = await provided(world, "default", "deployer");
  assert.equal(after.secret.metadata.name, before.secret.metadata.name);
});

test("an account with a complete pull secret is not changed", () => {
  const once = withPullSecret(accountNamed("default", "app"), "app-dockercfg-abcde");
  assert.equal(withPullSecret(once, "app-dockercfg-abcde"), once);
});

test("a token is renewed when two fifths of its lifetime remain, and immediately if it is unreadable", () => {
  const payload = Buffer.from(JSON.stringify({ iat: 1_000, exp: 2_000 })).toString("base64url");
  assert.deepEqual(renewalOf(`h.${payload}.s`), new Date(1_600_000));
  assert.deepEqual(renewalOf("no token"), new Date(0));
});
