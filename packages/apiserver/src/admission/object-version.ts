import type { KubeObject } from "../kube-object.ts";
import { apiVersionOf, type ServedResource } from "../registry/served-resource.ts";

/** An object of one version of a resource as another version shows it. */
export function objectIn(wanted: ServedResource, given: ServedResource, object: KubeObject): KubeObject {
  if (wanted === given) return object;
  return { ...object, apiVersion: apiVersionOf(wanted.type), kind: wanted.type.kind };
}
