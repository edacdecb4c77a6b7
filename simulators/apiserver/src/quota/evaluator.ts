import type { ResourceList } from "../catalogue/resource-list.ts";
import { builtinKinds, kindOf } from "../kinds/builtin-kinds.ts";
import type { Kind } from "../kinds/kind.ts";
import { bucketOf } from "../registry/served-resource.ts";
import { objectCountName } from "./object-count.ts";
import type { ScopeSelector } from "./scopes.ts";

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

/** The kinds that a quota's amount of this name may be about, as group and plural. */
export function kindsTracking(name: string): readonly (readonly [group: string, plural: string])[] {
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(name);
  if (counted) return [[counted[2] ?? "", counted[1] ?? ""]];
  return builtinKinds
    .filter(({ plural, quota }) =>
      quota === "named" ? plural === name : isEvaluator(quota) && quota.tracks(name),
    )
    .map(({ group, plural }) => [group, plural]);
}

export function evaluatorFor(group: string, plural: string): Evaluator | undefined {
  const quota = kindOf(bucketOf(group, plural))?.quota;
  if (quota === "none") return undefined;
  if (isEvaluator(quota)) return quota;
  const count = objectCountName(group, plural);
  return { tracks: (name) => name === count || (quota === "named" && name === plural) };
}

function isEvaluator(quota: Kind["quota"]): quota is Evaluator {
  return typeof quota === "object";
}
