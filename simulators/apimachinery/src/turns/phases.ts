import type { WorkBudget } from "@keelson/base";
import { sharedTurns } from "./turns.ts";

/** Work in parts: between two of them others may have their turn. */
export type Phases<Result> = Generator<void, Result, void>;

/** Small steps of work that one part of it may take. */
const stepsPerPart = 2_000;

/** Says when small steps have become a part. */
export class Pace {
  #steps = 0;

  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < stepsPerPart) return false;
    this.#steps = 0;
    return true;
  }
}

/** All parts at once. */
export function atOnce<Result>(phases: Phases<Result>): Result {
  for (;;) {
    const { done, value } = phases.next();
    if (done) return value;
  }
}

/** Each part in a turn of its owner, once the request has taken much. */
export function inTurns<Result>(
  phases: Phases<Result>,
  owner: object,
  budget: WorkBudget | undefined,
): Promise<Result> {
  return partByPart(phases, () => sharedTurns.next(owner, budget));
}

/** Each part but the first in a turn of its owner: for work that knows itself which parts are large. */
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
