import type { WorkBudget } from "@keelson/base";
import { sharedTurns } from "./turns.ts";

/** Work in parts. Other requests may have their turn between two parts. */
export type Phases<Result> = Generator<void, Result, void>;

/** Steps of work per part. */
const stepsPerPart = 2_000;

/** Counts steps and signals the end of a part. */
export class Pace {
  #steps = 0;

  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < stepsPerPart) return false;
    this.#steps = 0;
    return true;
  }
}

/** Runs all parts without interruption. */
export function atOnce<Result>(phases: Phases<Result>): Result {
  for (;;) {
    const { done, value } = phases.next();
    if (done) return value;
  }
}

/** Runs each part in a turn of its owner, once the request has used much of its budget. */
export function inTurns<Result>(
  phases: Phases<Result>,
  owner: object,
  budget: WorkBudget | undefined,
): Promise<Result> {
  return partByPart(phases, () => sharedTurns.next(owner, budget));
}

/** Runs each part except the first in a turn of its owner, for work with parts of known size. */
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
