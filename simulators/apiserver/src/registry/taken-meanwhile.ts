import type { KubeObject } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { strategyFor } from "./strategy.ts";

/**
 * True if a different object has claimed a unique value (node port, cluster IP) of this object after the value was allocated. The
 * caller must store the object in the same event loop turn.
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
