import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ClusterClient, type KubeObject, type ResourceRef, scalarStringAt } from "@keelson/apimachinery";
import { until } from "@keelson/base/testing/eventually";
import { TestServer, widgets } from "./testing/test-server.ts";

let server: TestServer;
let client: ClusterClient;
before(async () => {
  server = await TestServer.start();
  ({ client } = server.cluster);
});
after(() => server[Symbol.asyncDispose]());

const core = (resource: string): ResourceRef => ({ group: "", version: "v1", resource });
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const widgetRef = { group: "example.com", version: "v1", resource: "widgets" };
const widget = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name, namespace: "default", ...metadata },
  spec: { size: 1 },
});
const configMap = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", ...metadata },
});
const gone = (ref: ResourceRef, name: string, namespace = "default") =>
  until(async () => (await client.find(ref, { namespace, name })) === undefined);
const ownedBy = (owner: KubeObject, extra: object = {}) => {
  const { apiVersion, kind, metadata } = owner;
  return { ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", ...extra }] };
};

test("a namespace gets default objects, which are restored after deletion, and its deletion removes all content", async () => {
  await client.create(core("namespaces"), { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
  const has = (plural: string, name: string) =>
    until(async () => (await client.find(core(plural), { namespace: "n", name })) !== undefined);
  await has("serviceaccounts", "default");
  await has("configmaps", "kube-root-ca.crt");
  const root = await client.get(core("configmaps"), { namespace: "n", name: "kube-root-ca.crt" });
  assert.match(scalarStringAt(root, "data", "ca.crt"), /BEGIN CERTIFICATE/);
  await client.delete(core("serviceaccounts"), { namespace: "n", name: "default" });
  await has("serviceaccounts", "default");

  await client.create(core("secrets"), {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "held", namespace: "n", finalizers: ["example.com/f"] },
  });
  await client.delete(core("namespaces"), { name: "n" });
  await gone(core("configmaps"), "kube-root-ca.crt", "n");
  const late = await server.call("POST", "/api/v1/namespaces/n/configmaps", {
    body: { metadata: { name: "late" } },
  });
  assert.equal(
    scalarStringAt(late.body, "message"),
    'configmaps "late" is forbidden: unable to create new content in namespace n because it is being terminated',
  );
  assert.equal(
    scalarStringAt(await client.get(core("namespaces"), { name: "n" }), "status", "phase"),
    "Terminating",
  );
  await client.mergePatch(
    core("secrets"),
    { namespace: "n", name: "held" },
    { metadata: { finalizers: null } },
  );
  await gone(core("namespaces"), "n", undefined);
});

test("a definition is served immediately, and its deletion removes its instances", async () => {
  const created = await client.create(definitions, widgets);
  const conditions = JSON.stringify(created.status);
  assert.match(conditions, /"status":"True","type":"Established"/);
  await client.create(widgetRef, widget("w", { finalizers: ["example.com/f"] }));
  await client.delete(definitions, { name: "widgets.example.com" });
  await until(
    async () =>
      (await client.get(widgetRef, { namespace: "default", name: "w" })).metadata.deletionTimestamp !==
      undefined,
  );
  assert.ok(await client.find(definitions, { name: "widgets.example.com" }));
  await client.mergePatch(widgetRef, { namespace: "default", name: "w" }, { metadata: { finalizers: null } });
  await gone(definitions, "widgets.example.com", undefined);
  await assert.rejects(client.list(widgetRef), { code: 404 });
});

test("a definition with names in use is not served until they are free", async () => {
  await client.create(definitions, widgets);
  const rival = await client.create(definitions, {
    ...widgets,
    metadata: { name: "gadgets.example.com" },
    spec: { ...widgets.spec, names: { plural: "gadgets", singular: "gadget", kind: "Widget" } },
  });
  assert.match(
    JSON.stringify(rival.status),
    /"reason":"ListKindConflict","status":"False","type":"NamesAccepted"/,
  );
  await assert.rejects(client.list({ ...widgetRef, resource: "gadgets" }), { code: 404 });
  await client.delete(definitions, { name: "widgets.example.com" });
  await until(async () => {
    const { status } = await client.get(definitions, { name: "gadgets.example.com" });
    return JSON.stringify(status).includes('"reason":"InitialNamesAccepted","status":"True"');
  });
  assert.deepEqual((await client.list({ ...widgetRef, resource: "gadgets" })).items, []);
  await client.delete(definitions, { name: "gadgets.example.com" });
  await gone(definitions, "gadgets.example.com", undefined);
  await client.create(definitions, widgets);
});

test("an object stored before its schema changed is read by the new schema", async () => {
  await client.create(widgetRef, widget("old"));
  const definition = await client.get(definitions, { name: "widgets.example.com" });
  const text = JSON.stringify(definition)
    .replace('"replicas":{"type":"integer"}}},', '"replicas":{"type":"integer"},')
    .replace('"free":{', '"added":{"type":"string","default":"here"},"free":{');
  const changed: KubeObject = JSON.parse(text);
  await client.update(definitions, changed);
  const read = await client.get(widgetRef, { namespace: "default", name: "old" });
  assert.equal(scalarStringAt(read, "spec", "added"), "here");
  const [listed] = (await client.list(widgetRef, { namespace: "default" })).items;
  assert.deepEqual(listed, read);
});

test("dependents are deleted with their last owner at any depth", async () => {
  const root = await client.create(core("configmaps"), configMap("root"));
  const other = await client.create(core("configmaps"), configMap("other"));
  const child = await client.create(core("configmaps"), configMap("child", ownedBy(root)));
  await client.create(core("configmaps"), configMap("grandchild", ownedBy(child)));
  const both = [...ownedBy(root).ownerReferences, ...ownedBy(other).ownerReferences];
  await client.create(core("configmaps"), configMap("shared", { ownerReferences: both }));
  await client.delete(core("configmaps"), { namespace: "default", name: "root" });
  await gone(core("configmaps"), "child");
  await gone(core("configmaps"), "grandchild");
  await until(async () => {
    const shared = await client.get(core("configmaps"), { namespace: "default", name: "shared" });
    return shared.metadata.ownerReferences?.length === 1;
  });
  await client.delete(core("configmaps"), { namespace: "default", name: "other" });
  await gone(core("configmaps"), "shared");
});

test("an object with a missing owner is deleted, and one with an owner of unknown kind remains", async () => {
  const ghost = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ghost", uid: "none" } };
  await client.create(core("configmaps"), configMap("haunted", ownedBy(ghost)));
  await client.create(
    core("configmaps"),
    configMap("foreign", ownedBy({ ...ghost, apiVersion: "else.where/v1" })),
  );
  await gone(core("configmaps"), "haunted");
  assert.ok(await client.find(core("configmaps"), { namespace: "default", name: "foreign" }));
});

test("orphan deletion keeps dependents and removes their owner reference", async () => {
  const owner = await client.create(core("configmaps"), configMap("orphaner"));
  await client.create(core("configmaps"), configMap("orphan", ownedBy(owner)));
  await client.delete(
    core("configmaps"),
    { namespace: "default", name: "orphaner" },
    { propagationPolicy: "Orphan" },
  );
  await gone(core("configmaps"), "orphaner");
  const orphan = await client.get(core("configmaps"), { namespace: "default", name: "orphan" });
  assert.equal(orphan.metadata.ownerReferences, undefined);
});

test("foreground deletion waits for the dependents that block it", async () => {
  const owner = await client.create(core("configmaps"), configMap("front"));
  const extra = { blockOwnerDeletion: true };
  const held = { ...ownedBy(owner, extra), finalizers: ["example.com/f"] };
  await client.create(core("configmaps"), configMap("blocking", held));
  await client.delete(
    core("configmaps"),
    { namespace: "default", name: "front" },
    { propagationPolicy: "Foreground" },
  );
  await until(
    async () =>
      (await client.get(core("configmaps"), { namespace: "default", name: "blocking" })).metadata
        .deletionTimestamp !== undefined,
  );
  const waiting = await client.get(core("configmaps"), { namespace: "default", name: "front" });
  assert.deepEqual(waiting.metadata.finalizers, ["foregroundDeletion"]);
  await client.mergePatch(
    core("configmaps"),
    { namespace: "default", name: "blocking" },
    { metadata: { finalizers: null } },
  );
  await gone(core("configmaps"), "blocking");
  await gone(core("configmaps"), "front");
});
