import { failures } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import { type ServedResource, subjectOf } from "../resources/served-resource.ts";

/**
 * Rejects new objects in a missing or terminating namespace.
 * @throws StatusError 404 for a missing namespace, 403 for a terminating one
 */
export function admitToNamespace(
  { store }: Pick<RegistryContext, "store">,
  resource: ServedResource,
  namespace: string | undefined,
  name: string,
): void {
  if (!resource.type.namespaced) return;
  if (!namespace) {
    throw failures.badRequest("an empty namespace may not be set during creation");
  }
  const found = store.get("/namespaces", namespace);
  if (!found) throw failures.notFound({ group: "", resource: "namespaces" }, namespace);
  if (!found.object.metadata.deletionTimestamp) return;
  const why = `namespace ${namespace} is being terminated`;
  throw failures.forbidden(
    subjectOf(resource),
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [{ reason: "NamespaceTerminating", message: why, field: "metadata.namespace" }],
  );
}
