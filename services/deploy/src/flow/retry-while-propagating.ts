import { isAuthorizationPropagation, retryAdvice, statusOf } from "@keelson/azure";
import { type Clock, retry } from "@keelson/base";

/**
 * Retries `action` for up to five minutes while it fails with a temporary error or because new role assignments have not
 * propagated.
 */
export function retryWhilePropagating<T>(
  action: () => Promise<T>,
  deps: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<T> {
  return retry(action, {
    policy: { attempts: 21, firstMs: 15_000, factor: 1, maxMs: 15_000, jitter: 0 },
    clock: deps.clock,
    signal: deps.signal,
    decide: (error) => {
      if (statusOf(error) === 403 || isAuthorizationPropagation(error)) return undefined;
      const advice = retryAdvice(error);
      return advice.kind === "retry" ? advice.afterMs : "stop";
    },
  });
}
