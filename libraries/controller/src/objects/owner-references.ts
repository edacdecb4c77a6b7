import type { KubeObject, KubeResource, ObjectKey, OwnerReference } from "@keelson/kube";

/** Returns the controller reference to `owner` for a new object. The object is deleted together with its owner. */
export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Returns a list with the key of the object's controller. The list is empty if the object has no controller, or if the kind or
 * API group of the controller differs from `owner`. API versions are not compared.
 */
export function controllerOf({ metadata }: KubeObject, owner: KubeResource): readonly ObjectKey[] {
  const reference = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (reference?.kind !== owner.kind || groupOf(reference.apiVersion) !== owner.group) return [];
  const { name } = reference;
  if (!owner.namespaced) return [{ name }];
  return metadata.namespace === undefined ? [] : [{ namespace: metadata.namespace, name }];
}

/** True if `owner` controls the object. */
export function isControlledBy({ metadata }: KubeObject, owner: KubeObject): boolean {
  return (
    metadata.ownerReferences?.some(
      ({ controller, uid }) => controller === true && uid === owner.metadata.uid,
    ) === true
  );
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
