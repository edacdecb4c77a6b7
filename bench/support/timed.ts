import type { RecordableHistogram } from "node:perf_hooks";

/** Runs an action and records its duration in nanoseconds. Returns the result of the action. */
export async function timed<T>(latency: RecordableHistogram, action: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await action();
  latency.record(Math.max(1, Math.round((performance.now() - began) * 1e6)));
  return result;
}
