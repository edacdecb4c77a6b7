import type { ResourceList } from "@keelson/apimachinery";
import type { ScopeSelector } from "./scopes.ts";

/** Computes the use of a namespace's quotas by objects of one kind. */
export interface Evaluator {
  /** Reports whether such objects use a quota's amount of this name. */
  tracks(name: string): boolean;
  /** Reports whether an update can change an object's use or its quotas. */
  isChargedAgain?(object: unknown, current: unknown): boolean;
  /** Reports whether an update of an object frees amounts, so that quotas must be computed again. */
  isFreed?(object: unknown, current: unknown): boolean;
  /** Returns the reason to reject an object where these amounts are limited. */
  missing?(object: unknown, limited: readonly string[]): string | undefined;
  /** Reports whether a scope includes an object. Default: it includes none. */
  matchesScope?(object: unknown, scope: ScopeSelector): boolean;
  /** Returns the amounts that an object uses. Default: one object. */
  usage?(object: unknown, now: Date): ResourceList;
}
