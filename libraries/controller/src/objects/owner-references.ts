import type { KubeObject, KubeResource, ObjectKey, OwnerReference } from "@keelson/kube";

/** The reference by which `owner` controls an object that it creates: with the owner, it is deleted. */
export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The key of an object's controller, if that is of this kind, in whichever version it is named. */
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
