import { isDeepStrictEqual } from "node:util";
import { isPlainObject, mergePatch } from "@keelson/base";
import {
  type KubeClient,
  KubeError,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  type Selection,
} from "@keelson/kube";

/** Subset of the Kubernetes client's methods that steps use. The objects are in memory. */
export interface KubeObjects
  extends Pick<KubeClient, "find" | "get" | "list" | "page" | "create" | "ensure" | "mergePatch" | "delete"> {
  put(resource: KubeResource, object: Partial<KubeObject> & Pick<KubeObject, "metadata">): void;
}

export function kubeObjects(): KubeObjects {
  const objects = new Map<string, KubeObject>();
  let version = 0;
  const place = ({ group, plural }: KubeResource, { namespace = "", name }: ObjectKey) =>
    `${group}/${plural}/${namespace}/${name}`;
  const store = <T extends KubeObject>(resource: KubeResource<T>, object: T): T => {
    const before = find(resource, object.metadata);
    const { resourceVersion: _, ...rest } = object.metadata;
    if (before && isDeepStrictEqual(before, object)) return before;
    const metadata = { ...rest, name: object.metadata.name, resourceVersion: `${++version}` };
    const stored: T = { ...object, metadata };
    objects.set(place(resource, object.metadata), stored);
    return stored;
  };
  const find = <T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey) =>
    objects.get(place(resource, key)) as T | undefined;
  const get = <T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T => {
    const found = find(resource, key);
    if (!found) throw new KubeError(404, "NotFound", `${place(resource, key)} is not there`);
    return found;
  };
  const list = <T extends KubeObject>(resource: KubeResource<T>, { namespace = "" }: Selection) => {
    const prefix = place(resource, { namespace, name: "" });
    const items = [...objects].flatMap(([key, object]) => (key.startsWith(prefix) ? [object as T] : []));
    return { items, resourceVersion: `${version}` };
  };
  return {
    put: (resource, object) =>
      void store(resource, { apiVersion: resource.version, kind: resource.kind, ...object }),
    find: async (resource, key) => find(resource, key),
    get: async (resource, key) => get(resource, key),
    list: async (resource, selection) => list(resource, selection),
    page: async (resource, selection) => ({
      kind: `${resource.kind}List`,
      apiVersion: resource.version,
      continue: undefined,
      ...list(resource, selection),
    }),
    create: async (resource, object) => store(resource, object),
    async ensure(resource, object) {
      const before = find(resource, object.metadata);
      const after = store(resource, before ? (mergePatch(before, object) as KubeObject) : object);
      if (!before) return "created";
      return after === before ? "unchanged" : "updated";
    },
    mergePatch: async <T extends KubeObject>(
      resource: KubeResource<T>,
      key: ObjectKey,
      patch: Readonly<Record<string, unknown>>,
    ) => {
      const before = get(resource, key);
      const wanted = isPlainObject(patch.metadata) ? patch.metadata.resourceVersion : undefined;
      if (wanted !== undefined && wanted !== before.metadata.resourceVersion)
        throw new KubeError(409, "Conflict", `${place(resource, key)} has changed`);
      return store(resource, mergePatch(before, patch) as T);
    },
    async delete(resource, key) {
      objects.delete(place(resource, key));
    },
  };
}
