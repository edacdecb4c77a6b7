import type { ResourceType, Subject } from "@keelson/apimachinery";
import type { CustomVersion } from "@keelson/schema";
import type { AggregatedResource } from "./aggregated-resource.ts";

/** One resource of one group-version with what storing and validating it needs. */
export interface ServedResource {
  readonly type: ResourceType;
  readonly listKind: string;
  /** Where its objects are stored: all versions of a resource share one place. */
  readonly bucket: string;
  /** The `apiVersion` that objects are stored with. */
  readonly storageApiVersion: string;
  /** Only for resources that a CustomResourceDefinition declares. */
  readonly custom: CustomVersion | undefined;
  /** Only for resources that the cluster's owner declared. */
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

/** The group and version of an `apiVersion`. */
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

/** The key of an object in its bucket. Cluster-scoped objects have no namespace. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
