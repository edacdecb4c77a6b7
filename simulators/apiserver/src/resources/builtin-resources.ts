import type { ResourceType } from "@keelson/apimachinery";
import { builtinTypes, kindOf } from "@keelson/kinds";
import { apiVersionOf, bucketOf, type ServedResource } from "./served-resource.ts";

/** The resources that every cluster serves. */
export const builtinResources: readonly ServedResource[] = storedOnce(
  builtinTypes.map((type) => builtinResource(type, kindOf(`${type.group}/${type.plural}`)?.storedAs)),
);

/** A built-in resource. Its objects are those of `storedAs`, a `group/plural`, where that is another. */
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

/** All versions of a resource are stored in the version that is listed first. */
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
