import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { type ClusterClient, type KubeObject, type ResourceRef, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { Cluster } from "./cluster/cluster.ts";
import { TestKubelet } from "./testing/test-kubelet.ts";
import { type Response, TestServer } from "./testing/test-server.ts";

let server: TestServer;
let client: ClusterClient;
before(async () => {
  server = await TestServer.start();
  ({ client } = server.cluster);
});
after(() => server[Symbol.asyncDispose]());
afterEach(() => server.cluster.setKubelet(undefined));

const core = (resource: string): ResourceRef => ({ group: "", version: "v1", resource });
const pods = "/api/v1/namespaces/default/pods";
const configMaps = "/api/v1/namespaces/default/configmaps";

const pod = (name: string, spec: object = {}, status: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: { containers: [{ name: "c", image: "i" }], nodeName: "worker-0", ...spec },
  status,
});
const configMap = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", ...metadata },
});
const reference = ({ apiVersion, kind, metadata: { name, uid = "" } }: KubeObject, extra: object = {}) => ({
  apiVersion,
  kind,
  name,
  uid,
  ...extra,
});
const remove = (path: string, options?: object): Promise<Response> =>
  server.call("DELETE", path, { headers: { "content-type": "application/json" }, body: options });
const find = (name: string) => client.find(core("configmaps"), { namespace: "default", name });
/**
 * True if the deletion timestamp is `seconds` after the request, which was sent between `askedMs` and now. Timestamps have a
 * precision of seconds.
 */
function goesAfter(seconds: number, askedMs: number, { body }: Response): boolean {
  const fromMs = Date.parse(scalarStringAt(body, "metadata", "deletionTimestamp")) - seconds * 1_000;
  return fromMs > askedMs - 1_000 && fromMs < Date.now() + 1_000;
}

test("dependents of an owner in a second namespace get an Event, and those in a namespace are deleted", async () => {
  await client.create(core("namespaces"), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "afar" },
  });
  const owner = await client.create(core("configmaps"), {
    ...configMap("far-owner"),
    metadata: { name: "far-owner", namespace: "afar" },
  });
  const ownerReferences = [reference(owner)];
  await client.create(core("configmaps"), configMap("far-dependent", { ownerReferences }));
  await client.create(core("persistentvolumes"), {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "far-volume", ownerReferences },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/volume" },
    },
  });
  const events = async (name: string) => {
    const { items } = await client.list(core("events"), { namespace: "default" });
    return items.filter((each) => scalarStringAt(each, "involvedObject", "name") === name);
  };
  for (const [name, namespace] of [
    ["far-dependent", "default"],
    ["far-volume", ""],
  ] as const) {
    await until(async () => (await events(name)).length > 0);
    const [event] = await events(name);
    assert.equal(scalarStringAt(event, "reason"), "OwnerRefInvalidNamespace");
    assert.equal(
      scalarStringAt(event, "message"),
      `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: far-owner, uid: ${owner.metadata.uid}] does not exist in namespace "${namespace}"`,
    );
  }
  await until(async () => (await find("far-dependent")) === undefined);
  // The API does not serve the owner's kind, so the garbage collector cannot look up the owner and treats it as existing.
  assert.ok(await client.find(core("persistentvolumes"), { name: "far-volume" }));
});

test("a scheduled pod has a grace period and is removed when its kubelet confirms the stop", async () => {
  server.cluster.setKubelet(new TestKubelet());
  const created = await client.create(core("pods"), pod("graceful"));
  const askedMs = Date.now();
  const marked = await remove(`${pods}/graceful`);
  assert.equal(marked.status, 200);
  assert.equal(scalarStringAt(marked.body, "kind"), "Pod");
  assert.equal(valueAt(marked.body, "metadata", "deletionGracePeriodSeconds"), 30);
  assert.ok(goesAfter(30, askedMs, marked));
  const again = await remove(`${pods}/graceful`);
  assert.equal(
    scalarStringAt(again.body, "metadata", "resourceVersion"),
    scalarStringAt(marked.body, "metadata", "resourceVersion"),
  );
  const longer = await remove(`${pods}/graceful`, { gracePeriodSeconds: 60 });
  assert.equal(valueAt(longer.body, "metadata", "deletionGracePeriodSeconds"), 30);
  const shorter = await remove(`${pods}/graceful`, { gracePeriodSeconds: 5 });
  assert.equal(valueAt(shorter.body, "metadata", "deletionGracePeriodSeconds"), 5);
  assert.ok(goesAfter(5, askedMs, shorter));
  // The kubelet's status report does not end the grace period.
  await client.mergePatch(
    core("pods"),
    { namespace: "default", name: "graceful" },
    { status: { phase: "Running" } },
    "status",
  );
  await client.delete(
    core("pods"),
    { namespace: "default", name: "graceful" },
    { gracePeriodSeconds: 0, preconditions: { uid: created.metadata.uid ?? "" } },
  );
  assert.equal((await server.call("GET", `${pods}/graceful`)).status, 404);
});

test("a pod is removed immediately with a zero grace period, without a node, after its end, or without a kubelet", async () => {
  const kubelet = new TestKubelet();
  const rows: readonly [name: string, kubelet: boolean, spec: object, status: object, options?: object][] = [
    ["forced", true, {}, {}, { gracePeriodSeconds: 0 }],
    ["unscheduled", true, { nodeName: "" }, {}],
    ["succeeded", true, {}, { phase: "Succeeded" }],
    ["failed", true, {}, { phase: "Failed" }],
    ["immediate", true, { terminationGracePeriodSeconds: 0 }, {}],
    ["unattended", false, {}, {}],
  ];
  for (const [name, attended, spec, status, options] of rows) {
    server.cluster.setKubelet(attended ? kubelet : undefined);
    await client.create(core("pods"), pod(name, spec, status));
    await client.updateStatus(core("pods"), pod(name, spec, status));
    const response = await remove(`${pods}/${name}`, options);
    assert.equal(scalarStringAt(response.body, "kind"), "Pod", name);
    assert.equal(valueAt(response.body, "metadata", "deletionGracePeriodSeconds"), 0, name);
    assert.equal((await server.call("GET", `${pods}/${name}`)).status, 404, name);
  }
});

test("a pod with finalizers remains after its grace period", async () => {
  server.cluster.setKubelet(new TestKubelet());
  const held = pod("held");
  await client.create(core("pods"), {
    ...held,
    metadata: { ...held.metadata, finalizers: ["example.com/f"] },
  });
  await remove(`${pods}/held`);
  const key = { namespace: "default", name: "held" };
  await client.mergePatch(core("pods"), key, { metadata: { finalizers: null } });
  assert.ok(await client.find(core("pods"), key), "the pod remains until its kubelet has stopped it");
  await client.delete(core("pods"), key, { gracePeriodSeconds: 0 });
  assert.equal(await client.find(core("pods"), key), undefined);
});

test("dependents are deleted within five seconds after a background deletion of their owner", async () => {
  const owner = await client.create(core("configmaps"), configMap("background"));
  for (let at = 0; at < 50; at++) {
    await client.create(
      core("configmaps"),
      configMap(`background-${at}`, { ownerReferences: [reference(owner)] }),
    );
  }
  await remove(`${configMaps}/background`, { propagationPolicy: "Background" });
  const left = async () => (await client.list(core("configmaps"), { namespace: "default" })).items;
  await until(async () => !(await left()).some(({ metadata }) => metadata.name.startsWith("background")));
});

test("a foreground deletion keeps dependents with a second owner and waits only for blocking ones", async () => {
  const other = await client.create(core("configmaps"), configMap("other-owner"));
  const owner = await client.create(core("configmaps"), configMap("fore"));
  const held = { finalizers: ["example.com/f"] };
  const blocking = reference(owner, { blockOwnerDeletion: true });
  await client.create(
    core("configmaps"),
    configMap("fore-shared", { ownerReferences: [blocking, reference(other)] }),
  );
  await client.create(core("configmaps"), configMap("fore-held", { ...held, ownerReferences: [blocking] }));
  await client.create(
    core("configmaps"),
    configMap("fore-loose", { ...held, ownerReferences: [reference(owner)] }),
  );
  const response = await remove(`${configMaps}/fore`, { propagationPolicy: "Foreground" });
  assert.deepEqual(valueAt(response.body, "metadata", "finalizers"), ["foregroundDeletion"]);
  await until(async () => (await find("fore-shared"))?.metadata.ownerReferences?.length === 1);
  assert.equal((await find("fore-shared"))?.metadata.ownerReferences?.[0]?.name, "other-owner");
  // The controller processes dependents one after the other. One remaining dependent is therefore no proof that the others
  // remain.
  await until(async () => (await find("fore-held"))?.metadata.deletionTimestamp !== undefined);
  assert.ok(await find("fore"), "a dependent blocks the deletion");
  // Without its owner reference, the dependent no longer blocks the owner's deletion.
  await client.mergePatch(
    core("configmaps"),
    { namespace: "default", name: "fore-held" },
    { metadata: { ownerReferences: null } },
  );
  await until(async () => (await find("fore")) === undefined);
  assert.ok(await find("fore-held"));
  const shared = await find("fore-shared");
  assert.ok(shared && shared.metadata.deletionTimestamp === undefined);
});

test("a dependent with the orphan finalizer keeps its own dependents when its owner is deleted", async () => {
  const owner = await client.create(core("configmaps"), configMap("top"));
  const middle = await client.create(
    core("configmaps"),
    configMap("middle", { ownerReferences: [reference(owner)], finalizers: ["orphan"] }),
  );
  await client.create(core("configmaps"), configMap("bottom", { ownerReferences: [reference(middle)] }));
  await remove(`${configMaps}/top`);
  await until(async () => (await find("middle")) === undefined);
  const bottom = await find("bottom");
  assert.ok(bottom && bottom.metadata.ownerReferences === undefined);
});

test("an owner in a different namespace is ignored, and only one owner may be the controller", async () => {
  await client.create(core("namespaces"), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "elsewhere" },
  });
  const owner = await client.create(core("configmaps"), configMap("far", { namespace: "elsewhere" }));
  await client.create(core("configmaps"), configMap("near", { ownerReferences: [reference(owner)] }));
  await until(async () => (await find("near")) === undefined);
  const controllers = [
    reference(owner, { controller: true }),
    reference(owner, { controller: true, uid: "x" }),
  ];
  await assert.rejects(
    client.create(core("configmaps"), configMap("two", { ownerReferences: controllers })),
    {
      code: 422,
      message: /Only one reference can have Controller set to true/,
    },
  );
});

test("a deletion with orphanDependents: false returns 202", async () => {
  await client.create(core("configmaps"), configMap("old", { finalizers: ["example.com/f"] }));
  assert.equal((await remove(`${configMaps}/old`, { orphanDependents: false })).status, 202);
  await client.mergePatch(
    core("configmaps"),
    { namespace: "default", name: "old" },
    { metadata: { finalizers: null } },
  );
});

test("a namespace reports the remaining content and the progress of its deletion", async () => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "doomed" } };
  await client.create(core("namespaces"), namespace);
  for (const name of ["a", "b"]) {
    await client.create(
      core("configmaps"),
      configMap(name, { namespace: "doomed", finalizers: ["example.com/f"] }),
    );
  }
  const { body } = await remove("/api/v1/namespaces/doomed");
  assert.equal(scalarStringAt(body, "status", "phase"), "Terminating");
  const conditions = async () =>
    listAt(await client.find(core("namespaces"), { name: "doomed" }), "status", "conditions");
  const told = async (type: string) => {
    const found = (await conditions()).find((each) => scalarStringAt(each, "type") === type);
    return [
      scalarStringAt(found, "status"),
      scalarStringAt(found, "reason"),
      scalarStringAt(found, "message"),
    ];
  };
  await until(async () => (await conditions()).length === 5);
  assert.deepEqual(await told("NamespaceContentRemaining"), [
    "True",
    "SomeResourcesRemain",
    "Some resources are remaining: configmaps. has 2 resource instances",
  ]);
  assert.deepEqual(await told("NamespaceFinalizersRemaining"), [
    "True",
    "SomeFinalizersRemain",
    "Some content in the namespace has finalizers remaining: example.com/f in 2 resource instances",
  ]);
  assert.deepEqual(await told("NamespaceDeletionContentFailure"), [
    "False",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ]);
  for (const name of ["a", "b"]) {
    const key = { namespace: "doomed", name };
    await client.mergePatch(core("configmaps"), key, { metadata: { finalizers: null } });
  }
  await until(async () => (await client.find(core("namespaces"), { name: "doomed" })) === undefined);
});

test("a namespace with many objects is emptied in batches", async () => {
  const { cluster } = server;
  assert.ok(cluster instanceof Cluster);
  const { store } = cluster.context;
  await client.create(core("namespaces"), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "full" },
  });
  const names = Array.from({ length: 300 }, (_, at) => `full-${at}`);
  await Promise.all(
    names.map((name) => client.create(core("configmaps"), configMap(name, { namespace: "full" }))),
  );
  const left: number[] = [];
  const stop = store.subscribe("/configmaps", () => left.push(store.range("/configmaps", "full/").length));
  await client.delete(core("namespaces"), { name: "full" });
  await until(async () => (await client.find(core("namespaces"), { name: "full" })) === undefined);
  stop();
  assert.ok(
    left.some((count) => count > 0 && count < 200),
    left.join(),
  );
});

test("a namespace remains while its spec has other finalizers", async () => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kept" } };
  await client.create(core("namespaces"), namespace);
  const finalize = (finalizers: readonly string[]) =>
    server.call("PUT", "/api/v1/namespaces/kept/finalize", {
      headers: { "content-type": "application/json" },
      body: { ...namespace, spec: { finalizers } },
    });
  assert.equal((await finalize(["kubernetes", "example.com/own"])).status, 200);
  await remove("/api/v1/namespaces/kept");
  await until(async () => {
    const found = await client.get(core("namespaces"), { name: "kept" });
    return listAt(found, "spec", "finalizers").join() === "example.com/own";
  });
  await finalize([]);
  await until(async () => (await client.find(core("namespaces"), { name: "kept" })) === undefined);
});

test("a collection of a thousand objects is deleted concurrently, and finalizers are respected", async () => {
  const labels = { batch: "many" };
  await Promise.all(
    Array.from({ length: 1_000 }, (_, at) =>
      client.create(core("configmaps"), configMap(`many-${at}`, { labels })),
    ),
  );
  await client.create(core("configmaps"), configMap("many-held", { labels, finalizers: ["example.com/f"] }));
  const started = performance.now();
  const response = await remove(`${configMaps}?labelSelector=batch%3Dmany`);
  assert.ok(performance.now() - started < 20_000);
  assert.equal(listAt(response.body, "items").length, 1_001);
  const left = await client.list(core("configmaps"), { namespace: "default", labelSelector: "batch=many" });
  assert.deepEqual(
    left.items.map(({ metadata }) => metadata.name),
    ["many-held"],
  );
});

for (const [what, policy] of [
  ["in the background", "Background"],
  ["in the foreground", "Foreground"],
] as const) {
  test(`roles with spaces and colons in their names are deleted with their owner ${what}`, async () => {
    const roles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "roles" };
    const name = `system:a role  of:${policy}`;
    const owner = await client.create(core("configmaps"), configMap(`owner-${policy.toLowerCase()}`));
    await client.create(roles, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: {
        name,
        namespace: "default",
        ownerReferences: [reference(owner, { blockOwnerDeletion: true })],
      },
      rules: [],
    });
    await remove(`${configMaps}/${owner.metadata.name}`, { propagationPolicy: policy });
    await until(async () => (await client.find(roles, { namespace: "default", name })) === undefined);
    await until(async () => (await find(owner.metadata.name)) === undefined);
  });
}

test("a role with spaces in its name is orphaned", async () => {
  const roles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "roles" };
  const key = { namespace: "default", name: "left : alone" };
  const owner = await client.create(core("configmaps"), configMap("parent"));
  await client.create(roles, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { ...key, ownerReferences: [reference(owner)] },
    rules: [],
  });
  await remove(`${configMaps}/parent`, { propagationPolicy: "Orphan" });
  await until(async () => (await find("parent")) === undefined);
  assert.equal((await client.get(roles, key)).metadata.ownerReferences, undefined);
});
