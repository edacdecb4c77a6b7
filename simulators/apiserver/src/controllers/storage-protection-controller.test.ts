import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ClusterClient, KubeObject, ResourceRef } from "@keelson/apimachinery";
import { until } from "@keelson/base/testing/eventually";
import { TestServer } from "../testing/test-server.ts";

const core = (resource: string): ResourceRef => ({ group: "", version: "v1", resource });
const [claims, volumes, pods] = ["persistentvolumeclaims", "persistentvolumes", "pods"].map(core) as [
  ResourceRef,
  ResourceRef,
  ResourceRef,
];
const namespace = "default";

let server: TestServer;
let client: ClusterClient;
before(async () => {
  server = await TestServer.start();
  ({ client } = server.cluster);
});
after(() => server[Symbol.asyncDispose]());

const claim = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, namespace },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});
const pod = (name: string, claimName: string, spec: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace },
  spec: {
    containers: [{ name: "c", image: "i" }],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
    ...spec,
  },
});
const find = (name: string) => client.find(claims, { namespace, name });

test("an unused claim is removed when it is deleted", async () => {
  await client.create(claims, claim("idle"));
  await client.create(pods, pod("unscheduled", "idle"));
  await client.delete(claims, { namespace, name: "idle" });
  await until(async () => (await find("idle")) === undefined);
});

test("a claim remains until the last scheduled pod that uses it is deleted", async () => {
  await client.create(claims, claim("used"));
  for (const name of ["first", "second"]) {
    await client.create(pods, pod(name, "used", { nodeName: "worker-0" }));
  }
  await client.delete(claims, { namespace, name: "used" });
  await client.delete(pods, { namespace, name: "first" });
  // The queue has already processed a later claim. The first claim was therefore evaluated after the deletion of its first pod.
  await client.create(claims, claim("later"));
  await client.delete(claims, { namespace, name: "later" });
  await until(async () => (await find("later")) === undefined);
  const held = await find("used");
  assert.deepEqual(held?.metadata.finalizers, ["kubernetes.io/pvc-protection"]);
  assert.ok(held.metadata.deletionTimestamp);
  await client.delete(pods, { namespace, name: "second" });
  await until(async () => (await find("used")) === undefined);
});

test("a claim of an ephemeral volume remains until its pod is deleted", async () => {
  const template = { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };
  const volume = { name: "scratch", ephemeral: { volumeClaimTemplate: template } };
  await client.create(pods, pod("owner", "none", { nodeName: "worker-0", volumes: [volume] }));
  await client.create(claims, claim("owner-scratch"));
  await client.delete(claims, { namespace, name: "owner-scratch" });
  await client.create(claims, claim("after"));
  await client.delete(claims, { namespace, name: "after" });
  await until(async () => (await find("after")) === undefined);
  assert.ok(await find("owner-scratch"));
  await client.delete(pods, { namespace, name: "owner" });
  await until(async () => (await find("owner-scratch")) === undefined);
});

test("a volume remains while it is bound", async () => {
  const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } };
  const made = { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "v" }, spec };
  await client.create(volumes, made);
  await client.mergePatch(volumes, { name: "v" }, { status: { phase: "Bound" } }, "status");
  await client.delete(volumes, { name: "v" });
  const { metadata } = await client.get(volumes, { name: "v" });
  assert.ok(metadata.deletionTimestamp);
  await client.mergePatch(volumes, { name: "v" }, { status: { phase: "Released" } }, "status");
  await until(async () => (await client.find(volumes, { name: "v" })) === undefined);
});
