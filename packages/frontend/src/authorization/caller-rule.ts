import type { AuthorizationRequest } from "./authorizer.ts";

/** How one kind of caller proves to be it. */
export interface CallerRule {
  admits(request: AuthorizationRequest): boolean | Promise<boolean>;
  /** False while it has nothing to decide by; nobody is admitted then. */
  ready(): boolean;
}

/** Admits whom any of the rules admits, asking them in their order; ready when one of them is. */
export function anyOf(rules: readonly CallerRule[]): CallerRule {
  return {
    async admits(request) {
      for (const rule of rules) if (await rule.admits(request)) return true;
      return false;
    },
    ready: () => rules.some((rule) => rule.ready()),
  };
}
