import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemClock } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { condition, type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { nodeDrainer } from "./controller.ts";
import { drainFields, drainStart, isDraining, patienceMs } from "./node-state.ts";
import { podsToDelete } from "./pods-to-delete.ts";

const { nodes, pods } = resources;
const prefix = "machineconfiguration.openshift.io/";
const start = "aro.openshift.io/drainStartTime";
const configs = {
  [`${prefix}currentConfig`]: "a",
  [`${prefix}desiredConfig`]: "b",
  [`${prefix}state`]: "Working",
};
const ready = (status: string) => ({ conditions: [{ type: "Ready", status }] });
const node = (
  name: string,
  {
    annotations = configs as Record<string, string>,
    labels = {},
    unschedulable = true,
    status = ready("True"),
  } = {},
): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, annotations, labels },
  ...{ spec: { unschedulable }, status },
});
const cases: readonly (readonly [string, Parameters<typeof node>[1], boolean])[] = [
  ["cordoned, configurations differ, working", {}, true],
  ["not cordoned", { unschedulable: false }, false],
  ["not ready", { status: ready("False") }, false],
  ["configurations equal", { annotations: { ...configs, [`${prefix}currentConfig`]: "b" } }, false],
  ["done", { annotations: { ...configs, [`${prefix}state`]: "Done" } }, false],
  ["degraded by something else", { annotations: { ...configs, [`${prefix}state`]: "Degraded" } }, false],
  [
    "degraded by the drain",
    {
      annotations: {
        ...configs,
        [`${prefix}state`]: "Degraded",
        [`${prefix}reason`]: "failed to drain node n after 1 hour",
      },
    },
    true,
  ],
  ["no annotations", { annotations: {} }, false],
];
for (const [name, options, draining] of cases)
  test(`a node is ${draining ? "" : "not "}draining: ${name}`, () => {
    assert.equal(isDraining(node("n", options)), draining);
    assert.equal(isDraining(drainFields(node("n", options))), draining);
  });

test("the hour is measured from the annotation, an unreadable or future one does not extend it", () => {
  const now = new Date("2026-01-01T12:00:00Z");
  const since = (text: string) => drainStart(node("n", { annotations: { [start]: text } }));
  assert.equal(since("yesterday, perhaps"), undefined);
  const patience = (text: string) => patienceMs(since(text) ?? now, now) / 60_000;
  assert.deepEqual(
    ["2026-01-01T11:30:00Z", "2026-01-01T10:00:00Z", "2027-01-01T00:00:00Z"].map(patience),
    [30, -60, 60],
  );
});

test("static pods and pods of DaemonSets are not deleted", () => {
  const pod = (name: string, metadata: object = {}) =>
    ({ apiVersion: "v1", kind: "Pod", metadata: { name, ...metadata } }) as KubeObject;
  const owner = (kind: string) => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind, name: "o", uid: "u", controller: true }],
  });
  const all = [
    pod("bare"),
    pod("mirror", { annotations: { "kubernetes.io/config.mirror": "x" } }),
    pod("daemon", owner("DaemonSet")),
    pod("replica", owner("ReplicaSet")),
  ];
  assert.deepEqual(
    podsToDelete(all).map(({ metadata }) => metadata.name),
    ["bare", "replica"],
  );
});

for (const { name: serverName, start: startCluster } of testServers) {
  describe(`drains on ${serverName}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const get = (name: string) => cluster.api.get(nodes, { name }, cluster.signal);
    const annotate = (name: string, annotations: Readonly<Record<string, string | null>>) =>
      cluster.api.mergePatch(nodes, { name }, { metadata: { annotations } }, cluster.signal);
    const put = async (name: string, options: Parameters<typeof node>[1] = {}) => {
      const { apiVersion: _, kind: __, ...object } = node(name, options);
      await cluster.put(nodes, object);
    };
    before(async () => {
      cluster = await startCluster({ kinds: [] });
      operator = await cluster.start({ controllers: [nodeDrainer], clock: systemClock });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("acceptance 14: the start of a worker's drain is recorded, and the controller is Progressing", async () => {
      await put("worker");
      await put("master", { labels: { "node-role.kubernetes.io/master": "" } });
      await cluster.eventually(async () => {
        const text = (await get("worker")).metadata.annotations?.[start] ?? "";
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        const { status, message } = await condition(cluster, "NodeControllerProgressing");
        assert.deepEqual([status, message], ["True", "Draining node worker"]);
      });
      await operator.quiet();
      assert.equal((await get("master")).metadata.annotations?.[start], undefined);
      await annotate("worker", { [`${prefix}state`]: "Done" });
      await cluster.eventually(async () => {
        assert.equal((await get("worker")).metadata.annotations?.[start], undefined);
        assert.equal((await condition(cluster, "NodeControllerProgressing")).status, "False");
      });
    });

    test("acceptance 14: after an hour its pods are deleted, regardless of a disruption budget, except on masters", async () => {
      await cluster.put(resources.namespaces, { metadata: { name: "work" } });
      await cluster.put(resources.serviceAccounts, { metadata: { name: "default", namespace: "work" } });
      const spec = (nodeName: string) => ({ nodeName, containers: [{ name: "c", image: "busybox" }] });
      const labels = { app: "kept" };
      await cluster.put(resources.podDisruptionBudgets, {
        metadata: { name: "budget", namespace: "work" },
        ...{ spec: { minAvailable: 1, selector: { matchLabels: labels } } },
      });
      for (const on of ["worker", "master"])
        await cluster.put(pods, {
          metadata: { name: `on-${on}`, namespace: "work", labels },
          ...{ spec: spec(on) },
        });
      const long = "2026-01-01T00:00:00Z";
      for (const on of ["worker", "master"]) await annotate(on, { ...configs, [start]: long });
      await cluster.eventually(async () => {
        const left = await cluster.api.find(pods, { namespace: "work", name: "on-worker" }, cluster.signal);
        assert.ok(!left || left.metadata.deletionTimestamp, "the worker's pod is deleted");
      });
      await operator.quiet();
      const kept = await cluster.api.get(pods, { namespace: "work", name: "on-master" }, cluster.signal);
      assert.equal(kept.metadata.deletionTimestamp, undefined);
    });
  });
}
