import type { Backoff } from "@keelson/base";

interface StepBase<Name extends string> {
  /** Persisted in the journal and shown to clients: a literal that never changes its meaning. */
  readonly name: Name;
  /** Names of the steps of the same graph that must have finished before. */
  readonly needs: readonly string[];
  /** Share of the operation's progress, relative to the other steps. */
  readonly weight: number;
  /** Number and delays of retries after transient failures. */
  readonly retry: Backoff;
}

/** Runs to its end. It may run again after a crash, so its effects are idempotent. */
export interface ActionStep<Context, Name extends string = string> extends StepBase<Name> {
  readonly kind: "action";
  readonly run: (context: Context) => Promise<void>;
  /** Time limit of an attempt. */
  readonly timeoutMs: number;
}

/** Polls until the result is true. It must not change anything. */
export interface ConditionStep<Context, Name extends string = string> extends StepBase<Name> {
  readonly kind: "condition";
  readonly until: (context: Context) => Promise<boolean>;
  /**
   * Returns a token of the objects that the condition waits for, for example their resource versions. While it changes, the time
   * limit begins again, up to 30 minutes in total: slow progress of a busy machine is no failure.
   */
  readonly progress?: (context: Context) => Promise<string>;
  /**
   * Longest pause between two polls. The first pauses are shorter, so that quick results are detected
   * quickly.
   */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Message of the `StepTimeoutError`, for clients that wait for the operation. */
  readonly timeoutMessage?: string;
}

export type Step<Context, Name extends string = string> =
  | ActionStep<Context, Name>
  | ConditionStep<Context, Name>;

/** Steps as frozen data. Independent steps run concurrently. */
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
  /** Default: 30 minutes. */
  readonly timeoutMs?: number;
}

export interface ConditionSpec<Context> extends CommonSpec {
  readonly until: (context: Context) => Promise<boolean>;
  readonly progress?: (context: Context) => Promise<string>;
  /** Default: 10 seconds. */
  readonly everyMs?: number;
  /** Default: 30 minutes. */
  readonly timeoutMs?: number;
  readonly timeoutMessage?: string;
}

/** Retries for about two minutes; a blip costs half a second. */
export const patientRetry: Backoff = { attempts: 8, firstMs: 500, factor: 2.5, maxMs: 60_000, jitter: 0.1 };

const defaultTimeoutMs = 30 * 60_000;

/** An action that needs no other, for a `sequence`. */
export function step<Context, const Name extends string = string>(
  spec: ActionSpec<Context> & { readonly name: Name },
): ActionStep<Context, Name> {
  return action(spec.name, [], spec);
}

/** A condition that needs no other, for a `sequence`. */
export function condition<Context, const Name extends string = string>(
  spec: ConditionSpec<Context> & { readonly name: Name },
): ConditionStep<Context, Name> {
  return poll(spec.name, [], spec);
}

/** Graph with sequential steps. */
export function sequence<Context>(name: string, steps: readonly Step<Context>[]): Graph<Context> {
  return freeze(
    name,
    steps.map((each, index) => {
      const before = steps[index - 1];
      return { ...each, needs: before ? [before.name] : [] };
    }),
  );
}

/** Starts the definition of a graph. Declare each step after the steps that it needs, then call `build()`. */
export function graph<Context>(name: string): GraphBuilder<Context, never> {
  return new GraphBuilder(name, []);
}

/** A name that the graph does not have yet. */
type Unused<New extends string, Names extends string> = New extends Names ? never : New;

/** Steps declared so far. Their names are in its type: a need that is misspelt, or declared later, is a type error. */
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
