import type { ResourceList } from "@keelson/apimachinery";
import type { ScopeSelector } from "./scopes.ts";

/** Computes the quota usage of one kind's objects. */
export interface Evaluator {
  /** True if objects of this kind can use the quota resource with this name. */
  tracks(name: string): boolean;
  /** True if an update can change an object's usage or the set of quotas that apply to the object. */
  isChargedAgain?(object: unknown, current: unknown): boolean;
  /** True if an update reduces the usage, so that quotas must be recomputed. */
  isFreed?(object: unknown, current: unknown): boolean;
  /** Returns an error message if the object does not specify all resources in `limited`. */
  missing?(object: unknown, limited: readonly string[]): string | undefined;
  /** True if a quota scope includes an object. Default: false. */
  matchesScope?(object: unknown, scope: ScopeSelector): boolean;
  /** Returns the quota usage of one object. By default, only the number of objects is counted. */
  usage?(object: unknown, now: Date): ResourceList;
}
