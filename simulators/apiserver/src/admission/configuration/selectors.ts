import {
  type KubeObject,
  type LabelSelector,
  labelSelectorOf,
  matchesLabels,
  recordAt,
} from "@keelson/apimachinery";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { RevisionStore } from "../../storage/revision-store.ts";

/** Label selectors of a hook for namespaces and objects. */
export interface Selectors {
  readonly namespaces: LabelSelector;
  readonly objects: LabelSelector;
}

/** Reads `namespaceSelector` and `objectSelector`. */
export function parseSelectors(value: unknown): Selectors {
  return {
    namespaces: labelSelectorOf(recordAt(value, "namespaceSelector")),
    objects: labelSelectorOf(recordAt(value, "objectSelector")),
  };
}

/**
 * True if the selectors match a request. The object selector of an update can match the old or the new
 * object.
 */
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
  // A namespace selector does not exclude cluster-scoped objects.
  return namespace === undefined || matchesLabels(namespaces, namespace.metadata.labels ?? {});
}

/** Name of the request's namespace. For a Namespace object, its own name. */
export function namespaceNameOf({ resource, namespace, name }: AdmissionRequest): string | undefined {
  return resource.bucket === "/namespaces" ? name || undefined : namespace;
}

/** Namespace of the request, in its state after the request. Undefined for other cluster-scoped objects. */
export function namespaceOf(request: AdmissionRequest, store: RevisionStore): KubeObject | undefined {
  if (request.resource.bucket === "/namespaces" && request.object && !request.subresource)
    return request.object;
  const name = namespaceNameOf(request);
  return name === undefined ? undefined : store.get("/namespaces", name)?.object;
}
