import type { ResourceList } from "@keelson/apimachinery";
import type { ScopeSelector } from "./scopes.ts";

/** Computes the quota usage of one kind's objects. */
export interface Evaluator {
  /** True if objects of this kind can use the quota resource with this name. */
  tracks(name: string): boolean;
  /** True if an update can change an object's usage or the quotas that apply to it. */
  isChargedAgain?(object: unknown, current: unknown): boolean;
  /** True if an update reduces the usage, so that quotas must be recomputed. */
  isFreed?(object: unknown, current: unknown): boolean;
  /** Returns the reason to reject an object that does not specify the limited resources. */
  missing?(object: unknown, limited: readonly string[]): string | undefined;
  /** True if a scope includes an object. Default: false. */
  matchesScope?(object: unknown, scope: ScopeSelector): boolean;
  /** Returns the usage of one object. Default: the object counts as one. */
  usage?(object: unknown, now: Date): ResourceList;
}
