import type { Backoff } from "@keelson/base";

interface StepBase {
  /** Persisted in the journal and shown to clients: a literal that never changes its meaning. */
  readonly name: string;
  /** Names of the steps of the same graph that must have finished before. */
  readonly needs: readonly string[];
  /** Share of the operation's progress, relative to the other steps. */
  readonly weight: number;
  /** How often, and after which waits, a transient failure is tried again. */
  readonly retry: Backoff;
}

/** Runs to its end. It may run again after a crash, so its effects are idempotent. */
export interface ActionStep<Context> extends StepBase {
  readonly kind: "action";
  readonly run: (context: Context) => Promise<void>;
  /** After this long an attempt is aborted, and fails. */
  readonly timeoutMs: number;
}

/** Asks at once, and then again and again until the answer is true. It changes nothing. */
export interface ConditionStep<Context> extends StepBase {
  readonly kind: "condition";
  readonly until: (context: Context) => Promise<boolean>;
  /** The longest pause between two questions. The first pauses are shorter, so that quick answers are seen quickly. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** The message of the `StepTimeoutError` when time is up, for those who wait for the operation. */
  readonly timeoutMessage?: string;
}

export type Step<Context> = ActionStep<Context> | ConditionStep<Context>;

/** Steps that belong together, as frozen data. Steps that do not need each other run side by side. */
export interface Graph<Context> {
  readonly name: string;
  readonly steps: readonly Step<Context>[];
}

interface CommonSpec {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly weight?: number;
  readonly retry?: Partial<Backoff>;
}

/** Rides out about two minutes of trouble, and a blip in half a second. */
export const patientRetry: Backoff = { attempts: 8, firstMs: 500, factor: 2.5, maxMs: 60_000, jitter: 0.1 };

const minuteMs = 60_000;

/** An action; `timeoutMs` is 30 minutes when absent. */
export function step<Context>(
  spec: CommonSpec & Pick<ActionStep<Context>, "run"> & { readonly timeoutMs?: number },
): ActionStep<Context> {
  const { name, needs = [], weight = 1, retry, run, timeoutMs = 30 * minuteMs } = spec;
  return Object.freeze({
    kind: "action",
    name,
    needs,
    weight,
    retry: { ...patientRetry, ...retry },
    run,
    timeoutMs,
  });
}

/** A condition; `everyMs` is 10 seconds and `timeoutMs` 30 minutes when absent. */
export function condition<Context>(
  spec: CommonSpec &
    Pick<ConditionStep<Context>, "until"> & {
      readonly everyMs?: number;
      readonly timeoutMs?: number;
      readonly timeoutMessage?: string;
    },
): ConditionStep<Context> {
  const { name, needs = [], weight = 1, retry, until, everyMs = 10_000, timeoutMs = 30 * minuteMs } = spec;
  return Object.freeze({
    kind: "condition",
    name,
    needs,
    weight,
    retry: { ...patientRetry, ...retry },
    until,
    everyMs,
    timeoutMs,
    ...(spec.timeoutMessage ? { timeoutMessage: spec.timeoutMessage } : {}),
  });
}

export function graph<Context>(name: string, steps: readonly Step<Context>[]): Graph<Context> {
  return Object.freeze({ name, steps: Object.freeze([...steps]) });
}

/** The steps one after the other: each needs the one before, besides what it says itself. */
export function inOrder<Context>(steps: readonly Step<Context>[]): readonly Step<Context>[] {
  return steps.map((each, index) => {
    const before = steps[index - 1];
    return before ? Object.freeze({ ...each, needs: [...each.needs, before.name] }) : each;
  });
}

/** What is wrong with graphs whose steps share one journal: names used twice, unknown needs, cycles. */
export function graphProblems(graphs: readonly Graph<never>[]): readonly string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { name: graphName, steps } of graphs) {
    const names = new Set(steps.map((each) => each.name));
    for (const { name, needs } of steps) {
      if (seen.has(name)) problems.push(`${graphName}: the name ${name} is used twice`);
      seen.add(name);
      for (const need of needs) {
        if (!names.has(need)) problems.push(`${graphName}: ${name} needs ${need}, which does not exist`);
      }
    }
    const stuck = unreachable(steps);
    if (stuck.length > 0) problems.push(`${graphName}: never ready: ${stuck.join(", ")}`);
  }
  return problems;
}

function unreachable(steps: readonly Step<never>[]): readonly string[] {
  const done = new Set<string>();
  let waiting = [...steps];
  for (;;) {
    const ready = waiting.filter((each) => each.needs.every((need) => done.has(need)));
    if (ready.length === 0) return waiting.map((each) => each.name);
    for (const each of ready) done.add(each.name);
    waiting = waiting.filter((each) => !done.has(each.name));
  }
}
