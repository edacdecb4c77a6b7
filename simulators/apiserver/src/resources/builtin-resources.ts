import type { ResourceType } from "@keelson/apimachinery";
import { builtinTypes, kindOf } from "@keelson/kinds";
import { apiVersionOf, bucketOf, type ServedResource } from "./served-resource.ts";

/** Resources of every cluster. */
export const builtinResources: readonly ServedResource[] = storedOnce(
  builtinTypes.map((type) => builtinResource(type, kindOf(`${type.group}/${type.plural}`)?.storedAs)),
);

/**
 * Returns a built-in resource. Its objects are stored in the bucket `storedAs` (`group/plural`). The bucket may belong to a
 * different group.
 */
export function builtinResource(
  type: ResourceType,
  storedAs = bucketOf(type.group, type.plural),
): ServedResource {
  return {
    type,
    listKind: `${type.kind}List`,
    bucket: storedAs,
    storageApiVersion: apiVersionOf(type),
    custom: undefined,
  };
}

/** Sets the storage version of each resource to the first listed version. */
function storedOnce(resources: readonly ServedResource[]): readonly ServedResource[] {
  const first = new Map<string, string>();
  for (const { bucket, storageApiVersion } of resources) {
    if (!first.has(bucket)) first.set(bucket, storageApiVersion);
  }
  return resources.map((each) => ({
    ...each,
    storageApiVersion: first.get(each.bucket) ?? each.storageApiVersion,
  }));
}
