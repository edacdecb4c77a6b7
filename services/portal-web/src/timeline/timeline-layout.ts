import type { OperationStep, OperationView, StepLog, StepLogs } from "@keelson/portal-api";

export interface TimelineBar extends OperationStep {
  /** Start in ms after the beginning of the chart. */
  readonly fromMs: number;
  readonly lengthMs: number;
}

/** Time in which the operation waited for a worker. */
export interface Wait {
  readonly fromMs: number;
  readonly lengthMs: number;
}

export interface TimelineLayout {
  readonly lengthMs: number;
  readonly bars: readonly TimelineBar[];
  readonly waits: readonly Wait[];
}

/** Minimum length of a wait in ms. Shorter pauses are not shown as waits, because workers need some time between two steps. */
const shortestWaitMs = 1_000;

/**
 * Computes the positions of an operation's steps in the chart. The chart begins with the operation's request. The chart ends at
 * the end of the operation, or at the current time if the operation is still running. If a step begins before or ends after this
 * range, the range is extended, because the clocks of machines differ slightly. No length is negative.
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
    waits: waitsBetween(spans, start, operation.endTime === undefined ? end : undefined).map(
      ([from, to]) => ({ fromMs: from - start, lengthMs: to - from }),
    ),
  };
}

/**
 * Returns the times in which no step ran. These are the time in the queue before the first step, and times between steps if no
 * worker had the operation. The time after the last step counts only if the operation has not ended.
 */
function waitsBetween(
  spans: readonly { readonly from: number; readonly to: number }[],
  start: number,
  runningUntil: number | undefined,
): readonly (readonly [from: number, to: number])[] {
  const waits: (readonly [number, number])[] = [];
  let busyUntil = start;
  const add = (to: number) => {
    if (to - busyUntil >= shortestWaitMs) waits.push([busyUntil, to]);
  };
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    add(from);
    busyUntil = Math.max(busyUntil, to);
  }
  if (runningUntil !== undefined) add(runningUntil);
  return waits;
}

/** Returns the total length of waits in ms. */
export function waitedMs(waits: readonly Wait[]): number {
  return waits.reduce((sum, { lengthMs }) => sum + lengthMs, 0);
}

/**
 * Returns an operation with the retries in the log lines of its steps. The journal counts only starts of a step, and a step can
 * retry several times after one start.
 */
export function withRetries(operation: OperationView, logs: StepLogs | undefined): OperationView {
  const byStep = new Map(logs?.steps.map((log) => [log.name, log]));
  const steps = operation.steps.map((step) => ({
    ...step,
    attempts: step.attempts + retriesOf(byStep.get(step.name)),
  }));
  return { ...operation, steps };
}

/** Returns the number of retries in the log lines of a step. */
export function retriesOf(log: StepLog | undefined): number {
  return log?.entries.filter(({ attempt }) => attempt !== undefined).length ?? 0;
}

/** Returns the result of a step as text. */
export function outcomeOf({ outcome, attempts }: Pick<OperationStep, "outcome" | "attempts">): string {
  const words = { running: "runs", succeeded: "succeeded", failed: "failed" }[outcome];
  return attempts > 1 ? `${words}, attempt ${attempts}` : words;
}
