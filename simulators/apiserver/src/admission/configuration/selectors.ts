import { type KubeObject, type LabelSelector, labelSelectorOf, matchesLabels } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { RevisionStore } from "../../storage/revision-store.ts";

/** Label selectors of a webhook or policy for namespaces and objects. */
export interface Selectors {
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

/** Reads `namespaceSelector` and `objectSelector`. */
export function parseSelectors(value: unknown): Selectors {
  return {
    namespaces: labelSelectorOf(objectAt(value, "namespaceSelector")),
    objects: labelSelectorOf(objectAt(value, "objectSelector")),
  };
}

/** True if the selectors match a request. For an update, the old or the new object must match. */
export function selects(selectors: Selectors, request: AdmissionRequest, store: RevisionStore): boolean {
  const { namespaces, objects } = selectors;
  if (objects.length > 0) {
    const chosen = [request.object, request.oldObject].some(
      (object) => object && matchesLabels(objects, object.metadata.labels ?? {}),
    );
    if (!chosen) return false;
  }
  if (namespaces.length === 0) return true;
  const namespace = namespaceOf(request, store);
  // Cluster-scoped objects match every namespace selector.
  return namespace === undefined || matchesLabels(namespaces, namespace.metadata.labels ?? {});
}

/** Returns the name of the request's namespace. If the request writes a Namespace, returns the name of that Namespace. */
export function namespaceNameOf({ resource, namespace, name }: AdmissionRequest): string | undefined {
  return resource.bucket === "/namespaces" ? name || undefined : namespace;
}

/**
 * Returns the request's namespace. If the request writes a Namespace, returns the new Namespace. Returns undefined for other
 * cluster-scoped objects.
 */
export function namespaceOf(request: AdmissionRequest, store: RevisionStore): KubeObject | undefined {
  if (request.resource.bucket === "/namespaces" && request.object && !request.subresource)
    return request.object;
  const name = namespaceNameOf(request);
  return name === undefined ? undefined : store.get("/namespaces", name)?.object;
}
