import type { KubeObject, ObjectKey } from "@keelson/kube";

/** Returns `namespace/name`, or only the name for a cluster-scoped object. Names cannot contain a slash. */
export function keyText({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

export function keyOf({ metadata: { namespace, name } }: KubeObject): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}
