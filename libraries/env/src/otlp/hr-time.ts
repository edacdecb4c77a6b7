import type { HrTime } from "@opentelemetry/api";

/** Converts a date to seconds since 1970 and nanoseconds. */
export function hrTime(at: Date): HrTime {
  const ms = at.getTime();
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}
