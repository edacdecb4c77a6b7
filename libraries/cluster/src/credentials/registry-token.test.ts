import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { registryPullSecret } from "@keelson/installers";
import type { KubeClient } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { contextOf } from "../testing/context.ts";
import { signal } from "../testing/store.ts";
import { location, serviceGroup, startWorld, type World } from "../testing/world.ts";
import { mergePullSecrets } from "./pull-secrets.ts";
import { checkACRToken, deleteACRToken, ensureACRToken, rotateACRTokenPassword } from "./registry-token.ts";

const dayMs = 86_400_000;
const domain = "images.azurecr.io";

let world: World;
before(async () => {
  world = await startWorld();
  const { registries } = world.azure.registries;
  const registry = { location, sku: { name: "Premium" } };
  await registries.create(serviceGroup, "images", registry, world.azure.call(signal));
});
after(() => world[Symbol.asyncDispose]());

/** Returns the context of a cluster with an API server that contains no objects, not even a pull secret. */
function someContext(name: string): ClusterContext {
  const resourceId = `/subscriptions/${world.subscriptionId}/resourceGroups/${serviceGroup}/providers/Microsoft.ContainerRegistry/registries/images`;
  const environment = { ...world.environment, registry: { resourceId, domain } };
  const context = contextOf({ ...world, environment }, newCluster({ name }));
  const kube: Pick<KubeClient, "find"> = { find: async () => undefined };
  return Object.defineProperty(context, "kube", { value: () => kube });
}

function later(context: ClusterContext, days: number): ClusterContext {
  const now = () => new Date(Date.now() + days * dayMs);
  return Object.create(context, { clock: { value: { ...context.clock, now } } });
}

const profileOf = ({ cluster }: ClusterContext) => cluster.properties.registryProfiles?.[0];

test("a cluster has one token for the service's registry, until it is deleted", async () => {
  const context = someContext("tokened");
  await ensureACRToken(context);
  const made = profileOf(context);
  assert.match(made?.username ?? "", /^token-[0-9a-f-]{36}$/);
  assert.ok(made?.password?.reveal());
  await ensureACRToken(context);
  assert.deepEqual(profileOf(context), made);
  const { tokens } = world.azure.registries;
  const names = async () => {
    const listed = tokens.list(serviceGroup, "images", world.azure.call(signal));
    return Array.fromAsync(listed, ({ name }) => name);
  };
  assert.deepEqual(await names(), [made?.username]);
  await deleteACRToken(context);
  await deleteACRToken(context);
  assert.deepEqual(await names(), []);
});

test("the password is replaced after 140 days, and then not again for as long", async () => {
  const context = someContext("rotated");
  await ensureACRToken(context);
  const first = profileOf(context);
  await checkACRToken(later(context, 139));
  await rotateACRTokenPassword(later(context, 139));
  assert.deepEqual(profileOf(context), first);
  await assert.rejects(
    checkACRToken(later(context, 150)),
    /^Error: token able to be renewed for 240h0m\d+s, 7(19h59m\d+s|20h0m0s) validity remaining, please rotate$/,
  );
  await assert.rejects(checkACRToken(later(context, 181)), /^Error: token is expired$/);
  await rotateACRTokenPassword(later(context, 141));
  const second = profileOf(context);
  assert.equal(second?.username, first?.username);
  assert.notEqual(second?.password?.reveal(), first?.password?.reveal());
  await rotateACRTokenPassword(later(context, 142));
  assert.deepEqual(profileOf(context), second);
});

test("without a registry there is no token", async () => {
  const context = contextOf(world, newCluster({ name: "alone" }));
  await ensureACRToken(context);
  await rotateACRTokenPassword(context);
  await checkACRToken(context);
  assert.equal(profileOf(context), undefined);
});

test("with a registry, a cluster without a token is reported", async () => {
  const undated = /^Error: no issue date detected, please rotate token$/;
  await assert.rejects(checkACRToken(someContext("tokenless")), undated);
});

test("the service's registries join a pull secret, and change one that has them not at all", async () => {
  const context = someContext("merged");
  await ensureACRToken(context);
  const own = registryPullSecret(context.cluster).reveal();
  const customers = JSON.stringify({ auths: { "quay.io": { auth: "eA==" } } });
  const merged = mergePullSecrets(customers, own);
  assert.deepEqual(Object.keys(JSON.parse(merged).auths), ["quay.io", domain]);
  assert.equal(mergePullSecrets(merged, own), merged);
  assert.deepEqual(Object.keys(JSON.parse(mergePullSecrets("no JSON", own)).auths), [domain]);
});
