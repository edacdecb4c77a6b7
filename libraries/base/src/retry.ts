import type { Clock } from "./clock.ts";

/**
 * Exponential backoff. A `jitter` of 0.1 spreads each wait by ±10 %, so that waiters do not wake at the same
 * time.
 */
export interface Backoff {
  readonly attempts: number;
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
  readonly jitter: number;
}

/** The wait before attempt `attempt` + 1 (`attempt` counts from 1), in milliseconds. */
export function backoffMs(policy: Backoff, attempt: number, random = Math.random): number {
  const base = Math.min(policy.maxMs, policy.firstMs * policy.factor ** (attempt - 1));
  return Math.round(base * (1 + policy.jitter * (2 * random() - 1)));
}

export interface RetryOptions {
  readonly policy: Backoff;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Returns the delay in milliseconds, `undefined` for the policy's delay, or `"stop"`. */
  readonly decide: (error: unknown, attempt: number) => number | undefined | "stop";
}

/**
 * Runs `action` until it succeeds, the policy's attempts are exhausted, or `decide` returns "stop". Throws
 * the last error.
 */
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
