import type { KubeApi, KubeObject, KubeResource } from "@keelson/kube";
import { keyOf } from "./object-key.ts";

export function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/**
 * Adds the finalizer, unless the object already has it or is being deleted.
 * @throws KubeError Conflict if the object was changed concurrently
 */
export async function addFinalizer<T extends KubeObject>(
  api: Pick<KubeApi, "mergePatch">,
  resource: KubeResource<T>,
  object: T,
  finalizer: string,
  signal: AbortSignal,
): Promise<T> {
  if (hasFinalizer(object, finalizer) || object.metadata.deletionTimestamp !== undefined) return object;
  return setFinalizers(api, resource, object, [...(object.metadata.finalizers ?? []), finalizer], signal);
}

/**
 * Removes the finalizer so that the deletion can finish.
 * @throws KubeError Conflict if the object was changed concurrently
 */
export async function removeFinalizer<T extends KubeObject>(
  api: Pick<KubeApi, "mergePatch">,
  resource: KubeResource<T>,
  object: T,
  finalizer: string,
  signal: AbortSignal,
): Promise<T> {
  if (!hasFinalizer(object, finalizer)) return object;
  const left = object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
  return setFinalizers(api, resource, object, left, signal);
}

/**
 * Replaces the list of finalizers by a merge patch. The patch contains the resource version. Without it, the patch would
 * overwrite concurrent changes of the list.
 */
function setFinalizers<T extends KubeObject>(
  api: Pick<KubeApi, "mergePatch">,
  resource: KubeResource<T>,
  object: T,
  finalizers: readonly string[],
  signal: AbortSignal,
): Promise<T> {
  const { resourceVersion } = object.metadata;
  return api.mergePatch(resource, keyOf(object), { metadata: { finalizers, resourceVersion } }, signal);
}
