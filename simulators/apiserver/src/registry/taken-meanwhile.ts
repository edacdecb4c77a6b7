import type { KubeObject } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { strategyFor } from "./strategy.ts";

/**
 * True if a different object has claimed one of this object's unique values (node port, cluster IP) since the value was
 * allocated. The caller must store the object in the same event loop turn, so that no further claim can happen.
 */
export function isTakenMeanwhile(
  { store }: RegistryContext,
  { bucket }: ServedResource,
  key: string,
  object: KubeObject,
  current: KubeObject | undefined,
): boolean {
  const { holdings } = strategyFor(bucket);
  if (!holdings) return false;
  const held = store.holdings(bucket, holdings);
  const had = new Set(current ? holdings(current) : []);
  return holdings(object).some((each) => !had.has(each) && held.hasElsewhere(each, key));
}
