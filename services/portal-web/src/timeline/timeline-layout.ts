import type { OperationStep, OperationView } from "@keelson/portal-api";

export interface TimelineBar extends OperationStep {
  /** Milliseconds after the beginning of the picture. */
  readonly fromMs: number;
  readonly lengthMs: number;
}

export interface TimelineLayout {
  readonly lengthMs: number;
  readonly bars: readonly TimelineBar[];
}

/**
 * An operation's steps in time, from when it was asked for to its end, or to now while it runs. Clocks of machines differ a
 * little: what would begin before or end after is within the picture all the same, and no length is negative.
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

/** What a step came to, in words. */
export function outcomeOf({ outcome, attempts }: Pick<OperationStep, "outcome" | "attempts">): string {
  const words = { running: "runs", succeeded: "succeeded", failed: "failed" }[outcome];
  return attempts > 1 ? `${words}, attempt ${attempts}` : words;
}
