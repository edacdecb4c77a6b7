import type { KubeObject } from "@keelson/kube";

/** What a cache keeps of an object; it makes a new one and changes nothing. */
export type Strip<T extends KubeObject> = (object: T) => T;

/** Without `managedFields`, often a third of an object, which no controller reads. The default. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T["metadata"] & { managedFields?: unknown };
  return { ...object, metadata };
}

/** `apiVersion`, `kind` and `metadata` alone: for those who need to know that an object exists. */
export function metadataOnly<T extends KubeObject>(object: T): T {
  const { apiVersion, kind, metadata } = withoutManagedFields(object);
  return { apiVersion, kind, metadata } as T;
}
