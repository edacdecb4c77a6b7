import type { Clock } from "./clock.ts";

/** Exponential back-off. `jitter` 0.1 spreads each wait by ±10 %, so that many waiters do not wake at once. */
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
  /** Milliseconds to wait before the next attempt, `undefined` for the policy's own, `"stop"` to give up. */
  readonly decide: (error: unknown, attempt: number) => number | undefined | "stop";
}

/** Runs `action` until it succeeds, the policy's attempts are used up, or `decide` says stop. Throws the last error. */
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
