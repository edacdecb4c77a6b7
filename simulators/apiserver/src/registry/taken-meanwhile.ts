import type { KubeObject } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { strategyFor } from "./strategy.ts";

/**
 * Whether others were stored since `object` was completed with what it is to have alone: it is then completed again. Asked
 * in the same turn of the event loop in which the object is stored.
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
