import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { isPlainObject, listAt, stringAt, systemClock, valueAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { type HiveCluster, startHiveCluster } from "./hive-cluster.ts";
import { type JobResult, runHiveDouble } from "./hive-double.ts";
import { keyPathsOf } from "./output-shape.ts";

/**
 * Names and keys of the objects that Hive and its install pod wrote. In names, `<provision>` replaces the name of the
 * ClusterProvision.
 */
interface HiveShape {
  /** Type, status and reason of each condition after the install. */
  readonly conditions: Readonly<Record<JobResult["kind"], readonly (readonly string[])[]>>;
  /** Sorted keys of the ClusterDeployment's `spec.clusterMetadata`. */
  readonly clusterMetadata: readonly string[];
  /** Sorted keys of the ClusterProvision's `spec`, without the pod. */
  readonly provision: readonly string[];
  /** Sorted keys in the `data` of the remaining objects, by kind and name. */
  readonly objects: Readonly<Record<string, readonly string[]>>;
}

const golden: HiveShape = JSON.parse(readFileSync(new URL("golden/hive.json", import.meta.url), "utf8"));
const signal = AbortSignal.timeout(900_000);
let hive: HiveCluster;
before(async () => {
  hive = await startHiveCluster(signal);
});
after(() => hive?.[Symbol.asyncDispose]());

for (const result of [
  { kind: "succeeded" },
  { kind: "failed", reason: "AzureRequestDisallowedByPolicy", log: "level=error msg=denied" },
] as const)
  test(`the double of Hive leaves the conditions and objects of Hive after an install that ${result.kind}`, async () => {
    const namespace = `aro-${randomUUID()}`;
    const { kube } = hive;
    await kube.create(
      resources.namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      signal,
    );
    const spec = { baseDomain: "", clusterName: "demo", platform: { azure: { region: "eastus" } } };
    const metadata = { namespace, name: "cluster" };
    const deployment = { apiVersion: "hive.openshift.io/v1", kind: "ClusterDeployment", metadata, spec };
    await kube.create(resources.clusterDeployments, deployment, signal);
    const stop = new AbortController();
    const controllers = runHiveDouble({ kube, install: async () => result, signal: stop.signal });
    let found: KubeObject;
    do {
      await systemClock.sleep(20, signal);
      found = await kube.get(resources.clusterDeployments, metadata, signal);
    } while (!isEnded(found));
    const shape = await shapeIn(namespace, found);
    assert.deepEqual(shape.conditions, golden.conditions[result.kind]);
    assert.deepEqual(shape.clusterMetadata, golden.clusterMetadata);
    assert.deepEqual(shape.provision, golden.provision);
    // The double runs no Job, so the recorded Job is excluded.
    const { "Job <provision>-provision": _, ...objects } = golden.objects;
    assert.deepEqual(shape.objects, objects);
    stop.abort();
    await controllers;
  });

function isEnded(deployment: KubeObject): boolean {
  return listAt(deployment, "status", "conditions").some(
    (each) => stringAt(each, "type") === "ProvisionFailed" && stringAt(each, "status") !== "Unknown",
  );
}

async function shapeIn(namespace: string, deployment: KubeObject) {
  const [provision] = await listIn(resources.clusterProvisions, namespace);
  const name = provision?.metadata.name ?? "";
  const objects: Record<string, readonly string[]> = {};
  const kinds = {
    ConfigMap: resources.configMaps,
    Role: resources.roles,
    RoleBinding: resources.roleBindings,
    Secret: resources.secrets,
    ServiceAccount: resources.serviceAccounts,
  };
  for (const [kind, resource] of Object.entries(kinds))
    for (const each of await listIn(resource, namespace)) {
      const data = valueAt(each, "data");
      objects[`${kind} ${each.metadata.name.replace(name, "<provision>")}`] = Object.keys(
        isPlainObject(data) ? data : {},
      ).toSorted();
    }
  return {
    conditions: listAt(deployment, "status", "conditions")
      .map((each) => ["type", "status", "reason"].map((field) => stringAt(each, field) ?? ""))
      .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    clusterMetadata: keyPathsOf(valueAt(deployment, "spec", "clusterMetadata")).toSorted(),
    provision: keyPathsOf(valueAt(provision, "spec")).toSorted(),
    objects,
  };
}

async function listIn(resource: KubeResource, namespace: string): Promise<readonly KubeObject[]> {
  const { items } = await hive.kube.list(resource, { namespace }, signal);
  // Kubernetes creates these two objects in each namespace.
  return items.filter(({ metadata }) => !["kube-root-ca.crt", "default"].includes(metadata.name));
}
