import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isConflict, type KubeObject, resources, type WatchEvent } from "./index.ts";
import { connect, startCluster } from "./testing/cluster.ts";

const signal = AbortSignal.timeout(900_000);
let cluster: Awaited<ReturnType<typeof startCluster>>;
before(async () => {
  cluster = await startCluster();
});
after(() => cluster[Symbol.asyncDispose]());

const configMap = (name: string, data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data,
});

test("an applied object is created, keeps others' fields, and loses those that its manager no longer names", async () => {
  await using ours = connect(cluster.kubeconfig, { fieldManager: "ours" });
  await using theirs = connect(cluster.kubeconfig, { fieldManager: "theirs" });
  await ours.apply(resources.configMaps, configMap("applied", { a: "1", b: "2" }), signal);
  await theirs.apply(resources.configMaps, configMap("applied", { c: "3" }), signal);
  const applied = await ours.apply(resources.configMaps, configMap("applied", { a: "1" }), signal);
  assert.deepEqual(applied.data, { a: "1", c: "3" });
});

test("a field of a second manager is a conflict unless it is forced", async () => {
  await using ours = connect(cluster.kubeconfig, { fieldManager: "ours" });
  await using theirs = connect(cluster.kubeconfig, { fieldManager: "theirs" });
  await ours.apply(resources.configMaps, configMap("contested", { a: "1" }), signal);
  const contested = configMap("contested", { a: "2" });
  await assert.rejects(theirs.apply(resources.configMaps, contested, signal), isConflict);
  const forced = await theirs.apply(resources.configMaps, contested, signal, { force: true });
  assert.deepEqual(forced.data, { a: "2" });
});

test("a dry-run apply writes nothing and returns the server's warnings", async () => {
  await using kube = connect(cluster.kubeconfig);
  const namespace = (labels: Readonly<Record<string, string>>): KubeObject => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "tried", labels },
  });
  await kube.create(resources.namespaces, namespace({}), signal);
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "tried", name: "p" } };
  await kube.create(
    resources.pods,
    { ...pod, spec: { containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] } },
    signal,
  );
  const enforced = namespace({ "pod-security.kubernetes.io/enforce": "baseline" });
  const { object, warnings } = await kube.dryRunApply(resources.namespaces, enforced, signal);
  assert.equal(object.metadata.labels?.["pod-security.kubernetes.io/enforce"], "baseline");
  assert.deepEqual(warnings, [
    'existing pods in namespace "tried" violate the new PodSecurity enforce level "baseline:latest"',
    "p: privileged",
  ]);
  const live = await kube.get(resources.namespaces, { name: "tried" }, signal);
  assert.equal(live.metadata.labels?.["pod-security.kubernetes.io/enforce"], undefined);
});

test("a role that a second writer narrowed is restored", async () => {
  await using kube = connect(cluster.kubeconfig, { fieldManager: "ours" });
  const metadata = { name: "narrowed" };
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata,
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }],
  };
  const ensure = () => kube.ensure(resources.clusterRoles, role, signal);
  assert.deepEqual([await ensure(), await ensure()], ["created", "unchanged"]);
  const rules = [{ ...role.rules[0], resourceNames: ["one"] }];
  await kube.mergePatch(resources.clusterRoles, metadata, { rules }, signal);
  assert.deepEqual([await ensure(), await ensure()], ["updated", "unchanged"]);
  const live = await kube.get(resources.clusterRoles, metadata, signal);
  assert.deepEqual(live.rules, role.rules);
});

test("a status is applied apart from the rest", async () => {
  await using kube = connect(cluster.kubeconfig);
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "applied" } };
  await kube.apply(resources.nodes, node, signal);
  const status = { phase: "Running" };
  const applied = await kube.apply(resources.nodes, { ...node, status }, signal, { subresource: "status" });
  assert.partialDeepStrictEqual(applied.status, status);
});

test("a streamed list sends existing objects, marks their end, and continues with changes", async () => {
  await using kube = connect(cluster.kubeconfig);
  await kube.create(resources.configMaps, configMap("streamed", {}), signal);
  const seen: string[] = [];
  const options = { namespace: "default", fieldSelector: "metadata.name=streamed", sendInitialEvents: true };
  for await (const event of kube.watch(resources.configMaps, options, signal)) {
    seen.push(nameOf(event));
    if (event.type === "BOOKMARK" && event.initialEventsEnd)
      await kube.mergePatch(
        resources.configMaps,
        { namespace: "default", name: "streamed" },
        { data: { a: "1" } },
        signal,
      );
    if (event.type === "MODIFIED") break;
  }
  assert.deepEqual(seen, ["ADDED", "BOOKMARK end", "MODIFIED"]);
});

test("a deletion is held to the object that was meant", async () => {
  await using kube = connect(cluster.kubeconfig);
  const key = { namespace: "default", name: "guarded" };
  const { metadata } = await kube.create(resources.configMaps, configMap("guarded", {}), signal);
  const other = { preconditions: { uid: "8f6a2d34-0000-4000-8000-000000000000" } };
  await assert.rejects(kube.delete(resources.configMaps, key, signal, other), isConflict);
  assert.ok(metadata.uid);
  await kube.delete(resources.configMaps, key, signal, { preconditions: { uid: metadata.uid } });
  assert.equal(await kube.find(resources.configMaps, key, signal), undefined);
});

function nameOf(event: WatchEvent): string {
  return event.type === "BOOKMARK" && event.initialEventsEnd ? "BOOKMARK end" : event.type;
}
