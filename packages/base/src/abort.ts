/** Why a process stops: `draining` lets work in flight end, `abandoned` does not. */
export type StopReason = "draining" | "abandoned";

/** `signal`, or a time-out after `ms`, whichever comes first. The time-out's reason is a `TimeoutError`. */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
