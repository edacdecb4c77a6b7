import { aborted, allSucceeded } from "@keelson/base";
import type { Controller } from "./controller.ts";
import { ControllerRunner, type ControllerRunnerDeps } from "./controller-runner.ts";

export type ControllerGroupDeps<Context> = ControllerRunnerDeps<Context>;

/**
 * Runs several controllers concurrently with a shared cache. Programs that need neither leader election nor Events use this class
 * instead of a manager.
 */
export class ControllerGroup<Context> {
  readonly #runners: readonly ControllerRunner<Context>[];

  /** @throws Error if two controllers have the same name, or if they request different cached fields of one resource */
  constructor(controllers: readonly Controller<Context>[], deps: ControllerGroupDeps<Context>) {
    this.#runners = controllers.map((controller) => new ControllerRunner(controller, deps));
    const names = new Set(controllers.map(({ name }) => name));
    if (names.size < controllers.length) throw new Error("two controllers have the same name");
  }

  get size(): number {
    return this.#runners.length;
  }

  /** True if no controller has pending or delayed work. */
  get isIdle(): boolean {
    return this.#runners.every(({ isIdle }) => isIdle);
  }

  /** Resolves when the named controllers have no waiting or active key. Default: all controllers. */
  async idle(...names: readonly string[]): Promise<void> {
    const runners = this.#runners.filter(({ name }) => names.length === 0 || names.includes(name));
    await Promise.all(runners.map((runner) => runner.idle()));
  }

  /**
   * Runs until the signal aborts and all active calls have finished. If a controller fails, all controllers stop and `run`
   * rejects.
   */
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
    await allSucceeded(runs);
  }
}
