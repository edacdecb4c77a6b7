import { type Clock, type Logger, messageOf, messageWithCause, type Tracing } from "@keelson/base";
import { isInterruption, workflowErrors } from "./errors.ts";
import { executeStep, type Outcome, type StepDeps, type StepProgress } from "./execute-step.ts";
import type { Graph, Step } from "./graph.ts";
import type { Progress, StepChange, StepJournal } from "./journal.ts";

export interface RunOptions<Context> extends Omit<StepDeps<Context>, "report"> {
  readonly graph: Graph<Context>;
  /** All graphs of the operation. The progress of the operation is computed from them. */
  readonly plan: readonly Graph<Context>[];
  readonly journal: StepJournal;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tracing. Each run of a step is a span. */
  readonly tracing?: Tracing;
  /** Called for each step that ended in this run, for example to update metrics. */
  readonly onStep?: (event: StepEvent) => void;
}

export interface StepEvent {
  readonly step: string;
  readonly outcome: Outcome["kind"];
  readonly durationMs: number;
}

/**
 * Runs the unfinished steps of a graph. Each step starts as soon as the steps that it needs have finished.
 *
 * A step is first waiting, then `running` in the journal, then `finished` or `failed`. Entries are written before a step starts
 * and after it has ended. The end of a step and the start of its successors are written in one commit. An interrupted step stays
 * `running`, and a later run repeats it.
 *
 * Resolves to `drained` if `draining` prevented steps from starting. If a step fails, all other steps are aborted and its error
 * is thrown.
 * @throws LeaseLost, RunInterrupted if a different worker must resume
 */
export async function runGraph<Context>(options: RunOptions<Context>): Promise<"completed" | "drained"> {
  return new GraphRun(options).run();
}

class GraphRun<Context> {
  readonly #options: RunOptions<Context>;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #finished: Set<string>;
  readonly #running = new Set<string>();
  readonly #tasks = new Set<Promise<void>>();
  /** Latest progress reports of running steps. */
  readonly #reports = new Map<string, StepProgress>();
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #isReportDue = false;
  #ended: { readonly step: Step<Context>; readonly outcome: Outcome }[] = [];
  #wake: () => void = () => undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: RunOptions<Context>) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, options.guard.signal, this.#stop.signal]);
    this.#finished = new Set(options.journal.finishedSteps);
  }

  async run(): Promise<"completed" | "drained"> {
    try {
      while (await this.#turn());
    } finally {
      this.#stop.abort();
      await Promise.all(this.#tasks);
    }
    if (this.#failure) throw this.#failure.error;
    if (this.#options.graph.steps.every((each) => this.#finished.has(each.name))) return "completed";
    this.#options.guard.assertHeld();
    if (this.#options.draining.aborted && !this.#signalledFromOutside()) return "drained";
    throw workflowErrors.RunInterrupted(`the run of ${this.#options.graph.name} was abandoned`);
  }

  #signalledFromOutside(): boolean {
    return this.#options.signal.aborted || this.#options.guard.signal.aborted;
  }

  /** Records ended steps, starts ready steps, and waits until a step ends. Returns false if no step is running. */
  async #turn(): Promise<boolean> {
    const entries = this.#ended.splice(0).flatMap(({ step, outcome }) => this.#book(step, outcome));
    const ready = this.#readySteps();
    for (const each of ready) this.#running.add(each.name);
    for (const each of ready) entries.push({ step: each.name, state: "running" });
    if (entries.length > 0 || this.#isReportDue) await this.#write(entries);
    for (const each of ready) this.#launch(each);
    if (this.#running.size === 0) return false;
    if (this.#ended.length === 0 && !this.#isReportDue) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return true;
  }

  #book(step: Step<Context>, outcome: Outcome): StepChange[] {
    this.#running.delete(step.name);
    this.#reports.delete(step.name);
    switch (outcome.kind) {
      case "finished":
        this.#finished.add(step.name);
        return [{ step: step.name, state: "finished" }];
      case "failed":
        this.#failure ??= { error: outcome.error };
        this.#stop.abort();
        return [{ step: step.name, state: "failed", error: messageOf(outcome.error) }];
      case "interrupted":
        return [];
      default:
        return outcome satisfies never;
    }
  }

  #readySteps(): readonly Step<Context>[] {
    if (this.#failure || this.#signal.aborted || this.#options.draining.aborted) return [];
    return this.#options.graph.steps.filter(
      ({ name, needs }) =>
        !this.#finished.has(name) &&
        !this.#running.has(name) &&
        needs.every((need) => this.#finished.has(need)),
    );
  }

  async #write(entries: readonly StepChange[]): Promise<void> {
    this.#isReportDue = false;
    this.#reportedAtMs = this.#options.clock.monotonicMs();
    try {
      await this.#options.journal.write(entries, this.#progress(), this.#signalForWrites());
    } catch (error) {
      if (isInterruption(error)) throw error;
      throw workflowErrors.RunInterrupted(`the journal could not be written: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  /**
   * Returns the signal for journal writes. The failure of a step does not abort this signal, because the journal must still store
   * the results of the aborted steps.
   */
  #signalForWrites(): AbortSignal {
    return AbortSignal.any([this.#options.signal, this.#options.guard.signal]);
  }

  #progress(): Progress {
    const steps = this.#options.plan.flatMap((each) => each.steps);
    const done = steps.filter((each) => this.#finished.has(each.name));
    const running = steps.filter((each) => this.#running.has(each.name));
    const weigh = (some: readonly Step<Context>[], share: (step: Step<Context>) => number = () => 1) =>
      some.reduce((sum, each) => sum + each.weight * share(each), 0);
    const doneWeight =
      weigh(done) + weigh(running, ({ name }) => clamp(this.#reports.get(name)?.fraction ?? 0));
    return {
      running: running.map(({ name }) => {
        const activity = this.#reports.get(name)?.activity;
        return activity ? `${name} (${activity})` : name;
      }),
      completedSteps: done.length,
      totalSteps: steps.length,
      percentComplete: Math.min(99, Math.floor((100 * doneWeight) / weigh(steps))),
    };
  }

  /** Records a progress report. Limits the rate of writes, because clients poll only every few seconds. */
  #report(step: Step<Context>, progress: StepProgress): void {
    this.#reports.set(step.name, progress);
    this.#writeSoon(step);
  }

  #writeSoon(step: Step<Context>): void {
    if (!this.#running.has(step.name) || this.#signal.aborted) return;
    if (this.#options.clock.monotonicMs() - this.#reportedAtMs < reportEveryMs) return;
    this.#isReportDue = true;
    this.#wake();
  }

  #launch(step: Step<Context>): void {
    const { clock, logger, journal, onStep, tracing } = this.#options;
    const startedMs = clock.monotonicMs();
    const attempt = journal.attemptOf(step.name);
    logger.info({ step: step.name, attempt }, "running step");
    const span = tracing?.start(step.name, { attributes: { "keelson.step.attempt": attempt } });
    const report = (progress: StepProgress) => this.#report(step, progress);
    const ofStep = journal.loggerOf?.(step.name, logger, () => this.#writeSoon(step)) ?? logger;
    const execute = () =>
      executeStep(step, attempt, { ...this.#options, logger: ofStep, signal: this.#signal, report });
    const task = (span ? span.run(execute) : execute()).then((outcome) => {
      span?.end(outcome.kind === "failed" ? outcome.error : undefined);
      const durationMs = clock.monotonicMs() - startedMs;
      const line = { step: step.name, durationMs: Math.round(durationMs), outcome: outcome.kind };
      if (outcome.kind === "failed")
        ofStep.error({ ...line, error: messageWithCause(outcome.error) }, "step failed");
      else logger.info(line, "step ended");
      onStep?.({ step: step.name, outcome: outcome.kind, durationMs });
      this.#ended.push({ step, outcome });
      this.#tasks.delete(task);
      this.#wake();
    });
    this.#tasks.add(task);
  }
}

const reportEveryMs = 5_000;

function clamp(fraction: number): number {
  return Math.max(0, Math.min(1, fraction));
}
