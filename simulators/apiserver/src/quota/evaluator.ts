import type { ResourceList } from "../catalogue/resource-list.ts";
import { bucketOf } from "../registry/served-resource.ts";
import { claimEvaluator } from "./claim-evaluator.ts";
import { objectCountName } from "./object-count.ts";
import { podEvaluator } from "./pod-evaluator.ts";
import type { ScopeSelector } from "./scopes.ts";
import { serviceEvaluator } from "./service-evaluator.ts";

/** What objects of one kind use of a namespace's quotas. */
export interface Evaluator {
  /** Whether a quota's amount of this name is used by such objects. */
  tracks(name: string): boolean;
  /** Whether an update can change what an object uses, or which quotas it belongs to. */
  isChargedAgain?(object: unknown, current: unknown): boolean;
  /** Whether what an update leaves of an object frees something, so that quotas are to be computed again. */
  isFreed?(object: unknown, current: unknown): boolean;
  /** Why an object may not come where these amounts are limited. */
  missing?(object: unknown, limited: readonly string[]): string | undefined;
  /** Absent for kinds that are in no scope. */
  matchesScope?(object: unknown, scope: ScopeSelector): boolean;
  /** What an object uses; absent where every object counts as one. */
  usage?(object: unknown, now: Date): ResourceList;
}

const special: ReadonlyMap<string, Evaluator> = new Map([
  ["/pods", podEvaluator],
  ["/services", serviceEvaluator],
  ["/persistentvolumeclaims", claimEvaluator],
]);
/** Kinds whose objects quotas count by the kind's own name too. */
const namedAlone: ReadonlySet<string> = new Set([
  "configmaps",
  "resourcequotas",
  "replicationcontrollers",
  "secrets",
]);
/** Events are not counted. */
const uncounted: ReadonlySet<string> = new Set(["/events", "events.k8s.io/events"]);

/** The kinds that a quota's amount of this name may be about, as group and plural. */
export function kindsTracking(name: string): readonly (readonly [group: string, plural: string])[] {
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(name);
  if (counted) return [[counted[2] ?? "", counted[1] ?? ""]];
  if (namedAlone.has(name)) return [["", name]];
  return ["pods", "services", "persistentvolumeclaims"]
    .filter((plural) => special.get(bucketOf("", plural))?.tracks(name))
    .map((plural) => ["", plural]);
}

export function evaluatorFor(group: string, plural: string): Evaluator | undefined {
  const bucket = bucketOf(group, plural);
  if (uncounted.has(bucket)) return undefined;
  const count = objectCountName(group, plural);
  return (
    special.get(bucket) ?? {
      tracks: (name) => name === count || (group === "" && name === plural && namedAlone.has(plural)),
    }
  );
}
