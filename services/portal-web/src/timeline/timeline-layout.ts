import type { OperationStep, OperationView } from "@keelson/portal-api";

export interface TimelineBar extends OperationStep {
  /** Start in ms after the beginning of the chart. */
  readonly fromMs: number;
  readonly lengthMs: number;
}

export interface TimelineLayout {
  readonly lengthMs: number;
  readonly bars: readonly TimelineBar[];
}

/**
 * Computes the positions of an operation's steps in the chart. The chart begins with the operation's request. It ends with the
 * operation, or now while the operation runs. Machine clocks differ slightly, so steps are clipped to this range. No length is
 * negative.
 */
export function timelineLayout(operation: OperationView, nowMs: number): TimelineLayout {
  const ends = operation.endTime === undefined ? nowMs : Date.parse(operation.endTime);
  const spans = operation.steps.map((step) => {
    const from = Date.parse(step.startedAt);
    return { step, from, to: Math.max(from, step.endedAt === undefined ? ends : Date.parse(step.endedAt)) };
  });
  const start = Math.min(Date.parse(operation.startTime), ...spans.map(({ from }) => from));
  const end = Math.max(start, ends, ...spans.map(({ to }) => to));
  return {
    lengthMs: Math.max(1, end - start),
    bars: spans.map(({ step, from, to }) => ({ ...step, fromMs: from - start, lengthMs: to - from })),
  };
}

/** Returns the result of a step as text. */
export function outcomeOf({ outcome, attempts }: Pick<OperationStep, "outcome" | "attempts">): string {
  const words = { running: "runs", succeeded: "succeeded", failed: "failed" }[outcome];
  return attempts > 1 ? `${words}, attempt ${attempts}` : words;
}
