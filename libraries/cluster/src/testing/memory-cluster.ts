import { valueAt } from "@keelson/base";
import type { KubeClient, KubeResource } from "@keelson/kube";
import { type ClusterProperties, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { type KubeObjects, kubeObjects } from "./kube-objects.ts";
import { offlineContext } from "./offline-context.ts";

const { signal } = new AbortController();

/** Returns a cluster with API objects in memory. It supports only the API that steps use. */
export function memoryCluster(properties: Partial<ClusterProperties> = {}): {
  context: ClusterContext;
  kube: KubeObjects;
} {
  const kube = kubeObjects();
  const cluster = withProperties(newCluster({ name: "demo" }), { infraId: "demo-x1x2x", ...properties });
  const change = { kube: () => kube as unknown as KubeClient };
  return { context: offlineContext({ cluster, signal, change }), kube };
}

/** Returns a value from the spec of a resource's singleton object, which has the name `cluster`. */
export async function specOf(
  kube: KubeObjects,
  resource: KubeResource,
  ...path: readonly string[]
): Promise<unknown> {
  return valueAt(await kube.get(resource, { name: "cluster" }, signal), "spec", ...path);
}
