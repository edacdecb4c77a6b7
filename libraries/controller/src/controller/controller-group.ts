import { aborted } from "@keelson/base";
import type { Controller } from "./controller.ts";
import { ControllerRunner, type ControllerRunnerDeps } from "./controller-runner.ts";

export type ControllerGroupDeps<Context> = ControllerRunnerDeps<Context>;

/** Controllers that run side by side over one cache, for programs that have no use for a `Manager`'s election and Events. */
export class ControllerGroup<Context> {
  readonly #runners: readonly ControllerRunner<Context>[];

  /** @throws Error when two controllers have one name, or cache one resource with different fields */
  constructor(controllers: readonly Controller<Context>[], deps: ControllerGroupDeps<Context>) {
    this.#runners = controllers.map((controller) => new ControllerRunner(controller, deps));
    const names = new Set(controllers.map(({ name }) => name));
    if (names.size < controllers.length) throw new Error("two controllers have the same name");
  }

  get size(): number {
    return this.#runners.length;
  }

  /** Whether no controller has anything to do, now or later. */
  get isIdle(): boolean {
    return this.#runners.every(({ isIdle }) => isIdle);
  }

  /** Resolves when no key waits or is processed at any of the controllers named; at all of them when none is. */
  async idle(...names: readonly string[]): Promise<void> {
    const runners = this.#runners.filter(({ name }) => names.length === 0 || names.includes(name));
    await Promise.all(runners.map((runner) => runner.idle()));
  }

  /** Until the signal aborts and the calls in progress have ended. A controller that fails ends the others; then it rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, failed.signal]);
    const ended = aborted(stop);
    const runs = this.#runners.map((runner) =>
      runner.run(stop, ended).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    const outcomes = await Promise.allSettled(runs);
    const failure = outcomes.find(({ status }) => status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
  }
}
