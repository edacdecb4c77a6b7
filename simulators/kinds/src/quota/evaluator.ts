import type { ResourceList } from "@keelson/apimachinery";
import type { ScopeSelector } from "./scopes.ts";

/** Computes the usage of a namespace's quotas by objects of one kind. */
export interface Evaluator {
  /** True if such objects use a quota's resource of this name. */
  tracks(name: string): boolean;
  /** True if an update can change an object's usage or its quotas. */
  isChargedAgain?(object: unknown, current: unknown): boolean;
  /** True if an update frees amounts, so that quotas must be recomputed. */
  isFreed?(object: unknown, current: unknown): boolean;
  /** Returns the reason to reject an object that lacks limited amounts. */
  missing?(object: unknown, limited: readonly string[]): string | undefined;
  /** True if a scope includes an object. Default: false. */
  matchesScope?(object: unknown, scope: ScopeSelector): boolean;
  /** Returns the amounts that an object uses. Default: one object. */
  usage?(object: unknown, now: Date): ResourceList;
}
