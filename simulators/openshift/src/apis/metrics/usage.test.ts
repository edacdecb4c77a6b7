import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { containerUsages, nodeUsage, quantities } from "./usage.ts";

function pod(uid: string, requests: object | undefined, state: object): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: uid, namespace: "default", uid },
    spec: { containers: [{ name: "c", ...(requests ? { resources: { requests } } : {}) }] },
    status: { containerStatuses: [{ name: "c", state }] },
  };
}
const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };

test("a container uses a constant share of its requests", () => {
  for (const uid of ["a", "b", "c"]) {
    const asking = pod(uid, { cpu: "1", memory: "1Gi" }, running);
    const [[name, usage] = ["", { milliCores: 0, kibibytes: 0 }]] = containerUsages(asking);
    assert.equal(name, "c");
    assert.ok(usage.milliCores >= 300 && usage.milliCores <= 900, `${usage.milliCores}`);
    assert.ok(usage.kibibytes >= 0.3 * 2 ** 20 && usage.kibibytes <= 0.9 * 2 ** 20);
    assert.deepEqual(containerUsages(asking)[0]?.[1], usage);
  }
  const [first, second] = ["a", "b"].map((uid) => containerUsages(pod(uid, { cpu: "4" }, running))[0]?.[1]);
  assert.notDeepEqual(first, second);
});

test("a container that asks for nothing uses little, one that does not run nothing", () => {
  const usage = containerUsages(pod("a", undefined, running))[0]?.[1];
  assert.ok(usage && usage.milliCores >= 1 && usage.milliCores < 10 && usage.kibibytes > 1024);
  assert.deepEqual(containerUsages(pod("a", undefined, { waiting: { reason: "x" } })), []);
});

test("a node uses the sum of its pods' usage and a share for itself", () => {
  assert.deepEqual(quantities(nodeUsage([])), { cpu: "150m", memory: "1048576Ki" });
  const busy = nodeUsage([pod("a", { cpu: "2", memory: "4Gi" }, running)]);
  assert.ok(busy.milliCores >= 150 + 600 && busy.kibibytes > 1024 * 1024);
});

test("a pod's annotations set the usage of its containers, if they are quantities", () => {
  const annotated = (annotations: Readonly<Record<string, string>>) => {
    const asking = pod("a", { cpu: "1", memory: "1Gi" }, running);
    return containerUsages({ ...asking, metadata: { ...asking.metadata, annotations } })[0]?.[1];
  };
  const said = { "usage.keelson.dev/cpu": "1500m", "usage.keelson.dev/memory": "2Gi" };
  assert.deepEqual(annotated(said), { milliCores: 1_500, kibibytes: 2 * 1024 * 1024 });
  for (const wrong of ["", "much", "-1", "1".repeat(5_000)])
    assert.deepEqual(annotated({ "usage.keelson.dev/cpu": wrong }), annotated({}), wrong);
});
