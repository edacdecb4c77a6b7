import {
  formatQuantity,
  inOwnTurns,
  type KubeObject,
  Pace,
  type Phases,
  type Quantity,
  type ResourceList,
  scalarStringAt,
  sumOf,
} from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { type Evaluator, objectCountName, scopesOf, wholeQuantity } from "@keelson/kinds";
import type { RegistryContext } from "../resources/registry-context.ts";
import { bucketOf } from "../resources/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { evaluatorFor, kindsTracking } from "./evaluator-of-kind.ts";
import { isAbout, usageOf } from "./object-usage.ts";

/** Number of bytes of an object that count as one step. */
const stepBytes = 128;
/** Maximum size in bytes of the objects that are added without a pause. */
const maxBytesAtOnce = 262_144;

/** Objects of one kind that a quota counts. */
interface Counted {
  readonly group: string;
  readonly plural: string;
  readonly evaluator: Evaluator;
  readonly objects: readonly StoredObject[];
}

/** Objects in a quota's namespace at one moment. */
export interface CountedObjects {
  readonly quota: KubeObject;
  /** Counted kinds of each resource name. No kinds if the kind is unknown. */
  readonly kinds: ReadonlyMap<string, readonly Counted[]>;
}

/** Returns the objects that a quota counts, in their state at a revision. */
export function countedObjects(
  { store, directory }: RegistryContext,
  quota: KubeObject,
  revision: number,
): CountedObjects {
  const known = new Map<string, Counted>();
  const kinds = new Map<string, readonly Counted[]>();
  for (const name of Object.keys(objectAt(quota, "spec", "hard"))) {
    const counted = kindsTracking(name).flatMap(([group, plural]) => {
      const bucket = bucketOf(group, plural);
      const evaluator = evaluatorFor(group, plural);
      if (!evaluator || !directory.findBucket(bucket)) return [];
      const present = known.get(bucket);
      if (present) return [present];
      const objects = store.rangeAt(bucket, `${quota.metadata.namespace}/`, revision);
      const found = { group, plural, evaluator, objects };
      known.set(bucket, found);
      return [found];
    });
    kinds.set(name, counted);
  }
  return { quota, kinds };
}

/** True if the usage of the objects can be computed without a pause. */
export function isFew({ kinds }: CountedObjects): boolean {
  let bytes = 0;
  for (const { evaluator, objects } of new Set([...kinds.values()].flat())) {
    if (!evaluator.usage) continue;
    for (const { size } of objects) {
      bytes += size;
      if (bytes > maxBytesAtOnce) return false;
    }
  }
  return true;
}

/** Computes the usage of a quota like `usagePhases`. Other requests run during the computation. */
export function usedOf(
  context: RegistryContext,
  counted: CountedObjects,
): Promise<Readonly<Record<string, string>>> {
  return inOwnTurns(usagePhases(context, counted), context.store);
}

/** Computes the usage of a quota. For resources of unknown kinds, keeps the usage in the quota's status. */
export function* usagePhases(
  { clock }: Pick<RegistryContext, "clock">,
  { quota, kinds }: CountedObjects,
): Phases<Readonly<Record<string, string>>> {
  const before = objectAt(quota, "status", "used");
  const now = clock.now();
  const pace = new Pace();
  const sums = new Map<Counted, ResourceList>();
  const used: Record<string, string> = {};
  for (const [name, counted] of kinds) {
    let amount: Quantity | undefined;
    for (const each of counted) {
      const sum = sums.get(each) ?? (yield* sumPhases(quota, each, { now, pace }));
      sums.set(each, sum);
      amount = sum.get(name) ?? wholeQuantity(0);
    }
    const known = amount ? formatQuantity(amount) : scalarStringAt(before, name);
    if (known) used[name] = known;
    if (pace.isOver()) yield;
  }
  return used;
}

function* sumPhases(
  quota: KubeObject,
  { group, plural, evaluator, objects }: Counted,
  { now, pace }: { readonly now: Date; readonly pace: Pace },
): Phases<ResourceList> {
  if (!evaluator.usage) {
    // Quotas can limit only the number of objects of this kind. Scopes do not apply to such kinds.
    const count = wholeQuantity(scopesOf(quota).length === 0 ? objects.length : 0);
    return new Map([objectCountName(group, plural), plural].map((name) => [name, count]));
  }
  let sum: ResourceList = new Map();
  for (const stored of objects) {
    if (pace.isOver(Math.ceil(stored.size / stepBytes))) yield;
    const { object } = stored;
    if (isAbout(quota, evaluator, object))
      sum = sumOf(sum, usageOf({ group, plural }, evaluator, object, now));
  }
  return sum;
}
