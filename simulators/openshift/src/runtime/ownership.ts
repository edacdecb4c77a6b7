import type { KubeObject, OwnerReference } from "@keelson/apiserver";

/** The objects among `candidates` whose controller is `owner`. */
export function controlledBy(owner: KubeObject, candidates: readonly KubeObject[]): readonly KubeObject[] {
  return candidates.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === owner.metadata.uid),
  );
}

/** The keys of an object's controller, if that is of this kind: a watch's way from the owned to the owner. */
export function controllerKeys(object: KubeObject, kind: string): readonly string[] {
  const owner = object.metadata.ownerReferences?.find((each) => each.controller && each.kind === kind);
  if (!owner) return [];
  const { namespace } = object.metadata;
  return [namespace === undefined ? owner.name : `${namespace}/${owner.name}`];
}

/** The reference by which `owner` controls an object that it creates. */
export function controllerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
