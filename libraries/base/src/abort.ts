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

/** The result, unless the signal aborts first: then its reason, while the work goes on without anybody waiting for it. */
export async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, result]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
