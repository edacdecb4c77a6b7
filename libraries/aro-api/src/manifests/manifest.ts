import { apiVersionOf, type KubeObject, type KubeResource } from "@keelson/kube";

/** Kubernetes object with its API resource. */
export interface Manifest {
  readonly resource: KubeResource;
  readonly object: KubeObject;
}

export function manifest(
  resource: KubeResource,
  metadata: KubeObject["metadata"],
  rest: Readonly<Record<string, unknown>> = {},
): Manifest {
  return { resource, object: { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...rest } };
}
