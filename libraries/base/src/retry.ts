import type { Clock } from "./clock.ts";

/** Exponential backoff. A `jitter` of 0.1 varies each delay by ±10 %, so that clients do not retry simultaneously. */
export interface Backoff {
  readonly attempts: number;
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
  readonly jitter: number;
}

/** Returns the delay in ms after attempt number `attempt`. The first attempt is 1. */
export function backoffMs(policy: Backoff, attempt: number, random = Math.random): number {
  const base = Math.min(policy.maxMs, policy.firstMs * policy.factor ** (attempt - 1));
  return Math.round(base * (1 + policy.jitter * (2 * random() - 1)));
}

export interface RetryOptions {
  readonly policy: Backoff;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Decides after a failed attempt. Returns a delay in ms, `undefined` to use the delay of the policy, or `"stop"`. */
  readonly decide: (error: unknown, attempt: number) => number | undefined | "stop";
}

/** Runs `action` until it succeeds. Throws the last error when all attempts have failed or `decide` returns "stop". */
export async function retry<T>(action: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { policy, clock, signal, decide } = options;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await action(attempt);
    } catch (error) {
      if (attempt >= policy.attempts || signal.aborted) throw error;
      const wait = decide(error, attempt);
      if (wait === "stop") throw error;
      await clock.sleep(wait ?? backoffMs(policy, attempt), signal);
    }
  }
}
