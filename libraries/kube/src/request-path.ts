import type { TransportRequest } from "./connections/transport.ts";
import type { Selection } from "./kube-api.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import { KubeError } from "./responses/kube-error.ts";

export function nameOf({ method, path }: TransportRequest): string {
  return `${method} ${path}`;
}

/**
 * Returns the path of a collection or of one object.
 * @throws KubeError if a required namespace is missing, or if a namespace is given for a cluster-scoped resource
 */
export function pathOf(
  resource: KubeResource,
  namespace?: string,
  name?: string,
  subresource?: string,
): string {
  const { group, version, plural } = resource;
  if (resource.namespaced ? name !== undefined && !namespace : namespace) {
    const rule = resource.namespaced ? "needs a namespace" : "has no namespaces";
    throw new KubeError(0, "InvalidKey", `${plural}/${name ?? ""} ${rule}`);
  }
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespace ? ["namespaces", namespace] : [];
  const segments = [
    ...scope,
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource ? [subresource] : []),
  ];
  return `${root}/${segments.map(encodeURIComponent).join("/")}`;
}

export function selectorQuery({ labelSelector, fieldSelector }: Selection) {
  return { labelSelector, fieldSelector };
}

export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return `?${query}`;
}
