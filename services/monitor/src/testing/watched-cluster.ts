import { randomUUID } from "node:crypto";
import {
  type KubeClient,
  KubeError,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  type Selection,
} from "@keelson/kube";
import { type ClusterDocument, type ClusterProperties, clusterKeys, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";

export const subscriptionId = "33333333-3333-4333-8333-333333333333";

/** Returns the document of a cluster with a completed creation. */
export function clusterDocument(name: string, properties: Partial<ClusterProperties> = {}): ClusterDocument {
  const made = newCluster({ name, subscriptionId, state: "Succeeded" });
  const cluster = withProperties(made, properties);
  return {
    ...clusterKeys(cluster),
    id: randomUUID(),
    partitionKey: subscriptionId,
    bucket: 7,
    openShiftCluster: cluster,
  };
}

export interface StubCluster {
  readonly objects?: readonly (readonly [KubeResource, KubeObject])[];
  /** Status codes by path, for example of `/healthz`. Default: 200. */
  readonly codes?: Readonly<Record<string, number>>;
}

/**
 * Returns a stub of the client functions that collectors use. The stub contains the test's objects and counts the requests by
 * verb and plural.
 */
export function stubKube({ objects = [], codes = {} }: StubCluster): {
  readonly kube: KubeClient;
  readonly asked: ReadonlyMap<string, number>;
} {
  const asked = new Map<string, number>();
  const count = (what: string) => asked.set(what, (asked.get(what) ?? 0) + 1);
  const of = (resource: KubeResource) =>
    objects
      .filter(([each]) => each.group === resource.group && each.plural === resource.plural)
      .map(([, object]) => object);
  const kube = {
    server: "https://stub",
    async get(resource: KubeResource, { namespace, name }: ObjectKey) {
      count(`get ${resource.plural}`);
      const found = of(resource).find(
        ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
      );
      if (!found) throw new KubeError(404, "NotFound", `${resource.plural} "${name}" not found`);
      return found;
    },
    async list(resource: KubeResource, { namespace }: Selection) {
      count(`list ${resource.plural}`);
      const items = of(resource).filter(
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      );
      return { items, resourceVersion: "1" };
    },
    async statusCode(path: string) {
      return codes[path] ?? 200;
    },
    async connectPort() {
      throw new KubeError(0, "Unreachable", "no pod runs");
    },
    async [Symbol.asyncDispose]() {},
  };
  // The cast is safe, because collectors use only the read functions, which the stub contains.
  return { kube: kube as unknown as KubeClient, asked };
}

export function object(name: string, content: object, metadata: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "Stub", metadata: { name, ...metadata }, ...content };
}

export const withConditions = (conditions: Readonly<Record<string, string>>, more: object = {}) => ({
  status: {
    conditions: Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      message: `${type} is ${status}`,
    })),
    ...more,
  },
});
