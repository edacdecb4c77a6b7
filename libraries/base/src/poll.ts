import type { Clock } from "./clock.ts";

export interface PollOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the error of a failed call. Polling continues. */
  readonly onError: (error: unknown) => void;
}

/**
 * Calls `action` every `everyMs` until the signal aborts. The first call is after the first interval, and calls never overlap.
 */
export async function poll(
  { everyMs, clock, signal, onError }: PollOptions,
  action: () => unknown,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await action();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}
