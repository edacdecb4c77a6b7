import { isPlainObject, valueAt } from "@keelson/base";
import type { KubeList } from "./kube-api.ts";
import { isKubeObject, type KubeObject } from "./objects/kube-object.ts";
import { apiVersionOf, type KubeResource } from "./objects/kube-resource.ts";
import type { Fields } from "./responses/fields.ts";
import { KubeError } from "./responses/kube-error.ts";
import type { ParsedResponse } from "./responses/response-reader.ts";

/** Page of a list, with the list's kind and API version. */
export interface KubePage<T extends KubeObject = KubeObject> extends KubeList<T> {
  /** Kind of the list, for example `PodList`. */
  readonly kind: string;
  readonly apiVersion: string;
  /** Continue token of the next page. Undefined on the last page. */
  readonly continue: string | undefined;
}

/** Fields of a list that are read in addition to its items. */
export const listFields = {
  kind: true,
  apiVersion: true,
  metadata: { resourceVersion: true, continue: true },
};

/**
 * Media type that requests a list of metadata without specs and statuses. A server that does not support it returns complete
 * objects.
 */
export const metadataList =
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

export function isMetadataOnly(fields: Fields): boolean {
  if (typeof fields === "boolean") return false;
  return Object.keys(fields).every((name) => ["apiVersion", "kind", "metadata"].includes(name));
}

/**
 * Returns the type of a list item. If an item has no type, or the type of partial metadata, the result is the type of the
 * resource.
 */
function typeOf(resource: KubeResource, { apiVersion, kind }: Readonly<Record<string, unknown>>) {
  const own = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return kind === "PartialObjectMetadata"
    ? own
    : { apiVersion: apiVersion ?? own.apiVersion, kind: kind ?? own.kind };
}

/** Adds `apiVersion` and `kind` to list items that lack them. */
export function pageOf<T extends KubeObject>(
  resource: KubeResource<T>,
  { value: list, items: found }: ParsedResponse,
): KubePage<T> {
  const metadata = valueAt(list, "metadata");
  if (!isPlainObject(list) || !isPlainObject(metadata)) {
    throw new KubeError(0, "InvalidAnswer", `listing ${resource.plural} returned an invalid list`);
  }
  const items = found.flatMap((item: unknown) => {
    const object = isPlainObject(item) ? { ...item, ...typeOf(resource, item) } : item;
    return isKubeObject(object) ? [object as T] : [];
  });
  const next = metadata.continue;
  return {
    kind: typeof list.kind === "string" ? list.kind : `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    items,
    resourceVersion: String(metadata.resourceVersion ?? ""),
    continue: typeof next === "string" && next !== "" ? next : undefined,
  };
}
