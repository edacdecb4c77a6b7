import assert from "node:assert/strict";
import { clusters } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { findCondition, type KubeObject, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import type { TestCluster } from "./test-cluster.ts";
import type { TestOperator } from "./test-operator.ts";

export interface DriftCase {
  readonly resource: KubeResource;
  readonly key: ObjectKey;
  /** Merge patch that the controller must revert. */
  readonly edit: Readonly<Record<string, unknown>>;
  /** True if the controller also recreates the object after its deletion. Default: true. */
  readonly recreated?: boolean;
}

/**
 * Verifies that a managed object is repaired after its deletion and after an edit. Labels, annotations and owners of other
 * writers must remain. Each repair must emit one Event and increment the metric once. After the repair, no write may follow.
 */
export async function provesRepair(
  cluster: TestCluster,
  operator: TestOperator,
  drift: DriftCase,
): Promise<void> {
  const { resource, key, edit, recreated = true } = drift;
  const { api, signal } = cluster;
  const get = () => api.get(resource, key, signal);
  await cluster.eventually(get);
  await operator.quiet();

  if (recreated) {
    const { metadata: before } = await get();
    await repaired(
      cluster,
      operator,
      drift,
      () => api.delete(resource, key, signal),
      async () => {
        assert.notEqual((await get()).metadata.uid, before.uid);
      },
    );
  }

  const owners = [ownerOf(await api.get(resources.namespaces, { name: "default" }, signal))];
  const wanted = settledFields(await get());
  const present = (await get()).metadata.ownerReferences ?? [];
  // The controller also restores the labels of MachineConfigs.
  const keepsLabels = resource !== resources.machineConfigs;
  const foreign = {
    ...(keepsLabels ? { labels: { "example.com/foreign": "kept" } } : {}),
    annotations: { "example.com/foreign": "kept" },
    ownerReferences: [...present, ...owners],
  };
  await api.mergePatch(resource, key, { metadata: foreign }, signal);
  await operator.quiet();
  await repaired(
    cluster,
    operator,
    drift,
    () => api.mergePatch(resource, key, edit, signal),
    async () => {
      assert.deepEqual(settledFields(await get()), wanted);
    },
  );
  const { metadata } = await get();
  if (keepsLabels) assert.equal(metadata.labels?.["example.com/foreign"], "kept", "a foreign label stays");
  assert.equal(metadata.annotations?.["example.com/foreign"], "kept", "a foreign annotation stays");
  assert.ok(
    metadata.ownerReferences?.some(({ uid }) => uid === owners[0]?.uid),
    "a foreign owner stays",
  );
  await api.mergePatch(resource, key, { metadata: { ownerReferences: present } }, signal);
  await operator.quiet();
}

async function repaired(
  cluster: TestCluster,
  operator: TestOperator,
  { resource, key }: DriftCase,
  change: () => Promise<unknown>,
  check: () => Promise<void>,
): Promise<void> {
  const count = () =>
    operator.metric("aro_operator_repairs_total", { kind: resource.kind, result: "success" });
  const before = { repairs: await count(), events: await eventCount(cluster, resource, key) };
  await change();
  await cluster.eventually(check);
  await cluster.eventually(async () =>
    assert.equal(await eventCount(cluster, resource, key), before.events + 1, "one Event"),
  );
  await operator.quiet();
  assert.equal(await count(), before.repairs + 1, "one count of the metric");
  assert.equal(await eventCount(cluster, resource, key), before.events + 1, "no further Event");
}

/** Returns the number of the operator's Events about the object. */
async function eventCount(cluster: TestCluster, { kind }: KubeResource, key: ObjectKey): Promise<number> {
  const { items } = await cluster.api.list(
    resources.events,
    { namespace: key.namespace ?? "default" },
    cluster.signal,
  );
  return items
    .filter(
      (event) =>
        stringAt(event, "involvedObject", "kind") === kind &&
        stringAt(event, "involvedObject", "name") === key.name &&
        stringAt(event, "source", "component")?.startsWith("aro-operator") === true,
    )
    .reduce((sum, event) => sum + Number(event.count ?? 1), 0);
}

/**
 * Returns the object without its status, the fields that every write changes, and the labels and annotations of other writers.
 */
export function settledFields({ metadata, status: _, ...object }: KubeObject): unknown {
  const { labels, annotations } = metadata;
  const own = (members: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(members).filter(
        ([name]) => !name.startsWith("example.com/") && name !== "deprecated.daemonset.template.generation",
      ),
    );
  return { ...object, labels: own(labels), annotations: own(annotations) };
}

function ownerOf({ apiVersion, kind, metadata: { name, uid = "" } }: KubeObject) {
  return { apiVersion, kind, name, uid };
}

/** Returns the status, reason and message of a condition of the Cluster. */
export async function condition(cluster: TestCluster, type: string) {
  const live = await cluster.api.get(clusters, { name: "cluster" }, cluster.signal);
  const found = findCondition(live, type);
  return {
    status: stringAt(found, "status"),
    reason: stringAt(found, "reason") ?? "",
    message: stringAt(found, "message") ?? "",
  };
}
