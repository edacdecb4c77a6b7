import { apiVersionOf, type KubeObject, type KubeResource } from "@keelson/kube";

/** An object with its resource in the API. */
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
