import type { ResourceType, Subject } from "@keelson/apimachinery";
import type { CustomVersion } from "@keelson/schema";
import type { AggregatedResource } from "./aggregated-resource.ts";

/** Resource of one API version with the properties for storage and validation. */
export interface ServedResource {
  readonly type: ResourceType;
  readonly listKind: string;
  /** Bucket of its objects in the store. All versions of the resource share one bucket. */
  readonly bucket: string;
  /** `apiVersion` of stored objects. */
  readonly storageApiVersion: string;
  /** Set for resources of a CustomResourceDefinition. */
  readonly custom: CustomVersion | undefined;
  /** Set for aggregated resources that the cluster's owner declares. */
  readonly aggregated?: AggregatedResource;
}

export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group ? `${group}/${version}` : version;
}

/** Splits an `apiVersion` into group and version. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

export function bucketOf(group: string, plural: string): string {
  return `${group}/${plural}`;
}

export function subjectOf(resource: ServedResource): Subject {
  return { group: resource.type.group, resource: resource.type.plural };
}

/** Returns the key of an object in its bucket. Cluster-scoped objects have no namespace. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
