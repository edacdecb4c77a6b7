import type { Backoff } from "@keelson/base";

interface StepBase<Name extends string> {
  /** Name of the step in the journal. Clients also see this name. It must be a literal with a meaning that never changes. */
  readonly name: Name;
  /** Names of steps in the same graph that must finish first. */
  readonly needs: readonly string[];
  /** Weight of the step in the operation's progress, relative to other steps. */
  readonly weight: number;
  /** Number of retries after transient failures, and their delays. */
  readonly retry: Backoff;
}

/** Step that runs an action once. After a crash it may run again, so its effects must be idempotent. */
export interface ActionStep<Context, Name extends string = string> extends StepBase<Name> {
  readonly kind: "action";
  readonly run: (context: Context) => Promise<void>;
  /** Time limit of an attempt, in ms. */
  readonly timeoutMs: number;
}

/** Step that repeatedly calls `until` until the result is true. `until` must not change anything. */
export interface ConditionStep<Context, Name extends string = string> extends StepBase<Name> {
  readonly kind: "condition";
  readonly until: (context: Context) => Promise<boolean>;
  /**
   * Returns a token that identifies the state of the observed objects, for example their resource versions. Each change of the
   * token restarts the time limit, so that slow progress on a busy machine does not fail the step. The total time is at most 30
   * minutes.
   */
  readonly progress?: (context: Context) => Promise<string>;
  /** Maximum pause between two polls, in ms. The first pauses are shorter, so that quick results are detected early. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Message of the `StepTimeoutError`. Clients that wait for the operation see it. */
  readonly timeoutMessage?: string;
}

export type Step<Context, Name extends string = string> =
  | ActionStep<Context, Name>
  | ConditionStep<Context, Name>;

/** Steps of an operation as immutable data. Independent steps run concurrently. */
export interface Graph<Context, Name extends string = string> {
  readonly name: string;
  readonly steps: readonly Step<Context, Name>[];
}

interface CommonSpec {
  readonly weight?: number;
  readonly retry?: Partial<Backoff>;
}

export interface ActionSpec<Context> extends CommonSpec {
  readonly run: (context: Context) => Promise<void>;
  /** Time limit. Default: 30 minutes. */
  readonly timeoutMs?: number;
}

export interface ConditionSpec<Context> extends CommonSpec {
  readonly until: (context: Context) => Promise<boolean>;
  readonly progress?: (context: Context) => Promise<string>;
  /** Maximum pause between two polls. Default: 10 seconds. */
  readonly everyMs?: number;
  /** Time limit. Default: 30 minutes. */
  readonly timeoutMs?: number;
  readonly timeoutMessage?: string;
}

/** Retries for about two minutes. The first retry follows after half a second. */
const patientRetry: Backoff = { attempts: 8, firstMs: 500, factor: 2.5, maxMs: 60_000, jitter: 0.1 };

const defaultTimeoutMs = 30 * 60_000;

/** Creates an action without needs, for a `sequence`. */
export function step<Context, const Name extends string = string>(
  spec: ActionSpec<Context> & { readonly name: Name },
): ActionStep<Context, Name> {
  return action(spec.name, [], spec);
}

/** Creates a condition without needs, for a `sequence`. */
export function condition<Context, const Name extends string = string>(
  spec: ConditionSpec<Context> & { readonly name: Name },
): ConditionStep<Context, Name> {
  return poll(spec.name, [], spec);
}

/** Creates a graph with sequential steps. */
export function sequence<Context>(name: string, steps: readonly Step<Context>[]): Graph<Context> {
  return freeze(
    name,
    steps.map((each, index) => {
      const before = steps[index - 1];
      return { ...each, needs: before ? [before.name] : [] };
    }),
  );
}

/** Returns a builder for a graph. Declare each step after the steps that it needs, then call `build()`. */
export function graph<Context>(name: string): GraphBuilder<Context, never> {
  return new GraphBuilder(name, []);
}

/** Step name that the graph does not contain yet. */
type Unused<New extends string, Names extends string> = New extends Names ? never : New;

/**
 * Builder of a graph. Its type contains the names of the declared steps, so a misspelled or later declared need is a type error.
 */
export class GraphBuilder<Context, Names extends string> {
  readonly #name: string;
  readonly #steps: readonly Step<Context, Names>[];

  constructor(name: string, steps: readonly Step<Context, Names>[]) {
    this.#name = name;
    this.#steps = steps;
  }

  step<const New extends string>(
    name: Unused<New, Names>,
    spec: ActionSpec<Context> & { readonly needs?: readonly Names[] },
  ): GraphBuilder<Context, Names | New> {
    return this.#with(action<Context, New>(name, spec.needs ?? [], spec));
  }

  condition<const New extends string>(
    name: Unused<New, Names>,
    spec: ConditionSpec<Context> & { readonly needs?: readonly Names[] },
  ): GraphBuilder<Context, Names | New> {
    return this.#with(poll<Context, New>(name, spec.needs ?? [], spec));
  }

  build(): Graph<Context, Names> {
    return freeze(this.#name, this.#steps);
  }

  #with<New extends string>(added: Step<Context, New>): GraphBuilder<Context, Names | New> {
    return new GraphBuilder<Context, Names | New>(this.#name, [...this.#steps, added]);
  }
}

function action<Context, Name extends string>(
  name: Name,
  needs: readonly string[],
  { weight = 1, retry, run, timeoutMs = defaultTimeoutMs }: ActionSpec<Context>,
): ActionStep<Context, Name> {
  return { kind: "action", name, needs, weight, retry: { ...patientRetry, ...retry }, run, timeoutMs };
}

function poll<Context, Name extends string>(
  name: Name,
  needs: readonly string[],
  {
    weight = 1,
    retry,
    until,
    progress,
    everyMs = 10_000,
    timeoutMs = defaultTimeoutMs,
    timeoutMessage,
  }: ConditionSpec<Context>,
): ConditionStep<Context, Name> {
  return {
    kind: "condition",
    name,
    needs,
    weight,
    retry: { ...patientRetry, ...retry },
    until,
    ...(progress ? { progress } : {}),
    everyMs,
    timeoutMs,
    ...(timeoutMessage ? { timeoutMessage } : {}),
  };
}

function freeze<Context, Name extends string>(
  name: string,
  steps: readonly Step<Context, Name>[],
): Graph<Context, Name> {
  const frozen = steps.map((each) => Object.freeze({ ...each, needs: Object.freeze([...each.needs]) }));
  return Object.freeze({ name, steps: Object.freeze(frozen) });
}
