import type { WorkBudget } from "@keelson/base";
import { sharedTurns } from "./turns.ts";

/** Long task as a generator. Each `yield` ends one step and allows other requests to run. */
export type Phases<Result> = Generator<void, Result, void>;

/** Number of work units between two yields. */
const stepsPerPart = 2_000;

/** Counts work units and reports when the task should yield. */
export class Pace {
  #steps = 0;

  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < stepsPerPart) return false;
    this.#steps = 0;
    return true;
  }
}

/** Runs a task to its end without interruption. */
export function atOnce<Result>(phases: Phases<Result>): Result {
  for (;;) {
    const { done, value } = phases.next();
    if (done) return value;
  }
}

/**
 * Runs a task step by step. After the request has used much of its budget, each step waits until the scheduler selects `owner`,
 * an object that identifies the cluster.
 */
export function inTurns<Result>(
  phases: Phases<Result>,
  owner: object,
  budget: WorkBudget | undefined,
): Promise<Result> {
  return partByPart(phases, () => sharedTurns.next(owner, budget));
}

/** Runs a task step by step, regardless of a budget. Each step except the first waits until the scheduler selects `owner`. */
export function inOwnTurns<Result>(phases: Phases<Result>, owner: object): Promise<Result> {
  return partByPart(phases, () => sharedTurns.wait(owner));
}

async function partByPart<Result>(
  phases: Phases<Result>,
  next: () => Promise<void> | undefined,
): Promise<Result> {
  for (;;) {
    const { done, value } = phases.next();
    if (done) return value;
    await next();
  }
}
