import type { KubeObject } from "@keelson/kube";

/** Reduces an object to its cached fields. Returns a new object and does not modify the original. */
export type Strip<T extends KubeObject> = (object: T) => T;

/**
 * Removes `managedFields`, which are often a third of an object and are not used by controllers. Informers use this function by
 * default.
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T["metadata"] & { managedFields?: unknown };
  return { ...object, metadata };
}

/** Keeps only `apiVersion`, `kind` and `metadata`, for controllers that only check existence. */
export function metadataOnly<T extends KubeObject>(object: T): T {
  const { apiVersion, kind, metadata } = withoutManagedFields(object);
  return { apiVersion, kind, metadata } as T;
}
