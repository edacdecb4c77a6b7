import {
  type KubeObject,
  type LabelSelector,
  labelSelectorOf,
  matchesLabels,
  recordAt,
} from "@keelson/apimachinery";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { RevisionStore } from "../../storage/revision-store.ts";

/** Which namespaces and objects a hook is for, by their labels. */
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

/** Whether a request is about what the selectors choose. A change is when the object is chosen before or after it. */
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
  // Objects outside of namespaces are for everybody.
  return namespace === undefined || matchesLabels(namespaces, namespace.metadata.labels ?? {});
}

/** The name of the namespace that a request is about; that of a Namespace is its own. */
export function namespaceNameOf({ resource, namespace, name }: AdmissionRequest): string | undefined {
  return resource.bucket === "/namespaces" ? name || undefined : namespace;
}

/** The namespace that a request is about, as it would be after it; `undefined` where there is none. */
export function namespaceOf(request: AdmissionRequest, store: RevisionStore): KubeObject | undefined {
  if (request.resource.bucket === "/namespaces" && request.object && !request.subresource)
    return request.object;
  const name = namespaceNameOf(request);
  return name === undefined ? undefined : store.get("/namespaces", name)?.object;
}
