import {
  formatQuantity,
  type KubeObject,
  type Quantity,
  type ResourceList,
  scalarStringAt,
  sumOf,
} from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { type Evaluator, objectCountName, scopesOf, wholeQuantity } from "@keelson/kinds";
import type { RegistryContext } from "../resources/registry-context.ts";
import { bucketOf } from "../resources/served-resource.ts";
import { evaluatorFor, kindsTracking } from "./evaluator-of-kind.ts";
import { isAbout, usageOf } from "./object-usage.ts";

/**
 * Computes the usage of a quota from the objects in its namespace. For resources of unknown kinds, keeps the usage in the quota's
 * status.
 */
export function usedOf(context: RegistryContext, quota: KubeObject): Readonly<Record<string, string>> {
  const names = Object.keys(objectAt(quota, "spec", "hard"));
  const before = objectAt(quota, "status", "used");
  const sums = new Map<string, ResourceList>();
  const used: Record<string, string> = {};
  for (const name of names) {
    let amount: Quantity | undefined;
    for (const [group, plural] of kindsTracking(name)) {
      const bucket = bucketOf(group, plural);
      const resource = context.directory.findBucket(bucket);
      const evaluator = evaluatorFor(group, plural);
      if (!resource || !evaluator) continue;
      const sum = sums.get(bucket) ?? sumIn(context, { quota, group, plural, evaluator });
      sums.set(bucket, sum);
      amount = sum.get(name) ?? wholeQuantity(0);
    }
    const known = amount ? formatQuantity(amount) : scalarStringAt(before, name);
    if (known) used[name] = known;
  }
  return used;
}

interface Counted {
  readonly quota: KubeObject;
  readonly group: string;
  readonly plural: string;
  readonly evaluator: Evaluator;
}

function sumIn(
  { store, clock }: RegistryContext,
  { quota, group, plural, evaluator }: Counted,
): ResourceList {
  const found = store.range(bucketOf(group, plural), `${quota.metadata.namespace}/`);
  if (!evaluator.usage) {
    // Quotas can limit only the number of objects of this kind. A quota with scopes does not count these objects.
    const count = wholeQuantity(scopesOf(quota).length === 0 ? found.length : 0);
    return new Map([objectCountName(group, plural), plural].map((name) => [name, count]));
  }
  const now = clock.now();
  const about = found.filter(({ object }) => isAbout(quota, evaluator, object));
  return sumOf(...about.map(({ object }) => usageOf({ group, plural }, evaluator, object, now)));
}
