import { apiVersionOf, type KubeObject, type KubeResource } from "@keelson/kube";

/** One object to make, with the resource through which it is made. */
export interface Manifest {
  readonly resource: KubeResource;
  readonly object: KubeObject;
}

export function manifest(
  resource: KubeResource,
  name: string,
  metadata: Readonly<Record<string, unknown>>,
  rest: Readonly<Record<string, unknown>> = {},
): Manifest {
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return { resource, object: { ...head, metadata: { ...metadata, name }, ...rest } };
}
