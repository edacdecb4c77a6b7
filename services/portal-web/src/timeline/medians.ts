import type { StepDurations } from "@keelson/portal-api";
import { formatDuration } from "../display/time.ts";

type Median = StepDurations["steps"][number];

/** Median durations of steps by step name. */
export type Medians = ReadonlyMap<string, Median>;

export function mediansOf(durations: StepDurations | undefined): Medians {
  return new Map(durations?.steps.map((step) => [step.name, step]));
}

/**
 * Formats the median duration over all clusters, for example `fleet median 42 s (12 steps)`. Returns an empty string if there is
 * no median.
 */
export function medianText(median: Median | undefined): string {
  if (!median) return "";
  return `fleet median ${formatDuration(median.medianMs)} (${median.count} steps)`;
}

/**
 * Formats a duration relative to the median over all clusters, for example `2.5 × 42 s`. Returns a dash if there is no median.
 */
export function comparedToMedian(lengthMs: number, median: Median | undefined): string {
  if (!median) return "–";
  const { medianMs } = median;
  if (medianMs < 1) return formatDuration(medianMs);
  return `${Number((lengthMs / medianMs).toFixed(1))} × ${formatDuration(medianMs)}`;
}
