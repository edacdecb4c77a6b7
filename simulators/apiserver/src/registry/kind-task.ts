import { inTurns, type KubeObject, type StatusCause } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { sharedThreads } from "../threads/thread-pool.ts";
import type { ThreadTask } from "../threads/thread-task.ts";
import { strategyFor } from "./strategy.ts";

/** An object of the kind stored in a bucket, and what it was. */
export interface KindInput {
  readonly bucket: string;
  readonly object: KubeObject;
  readonly current: KubeObject | undefined;
}

/** Objects of requests that have taken more are judged in a thread. */
const largeBytes = 262_144;

/**
 * What is wrong with an object by the rules of its kind: at once where it is small, in a thread where it is large.
 * @throws StatusError 429, WorkBudgetExceeded
 */
export async function validateKindFairly(
  owner: object,
  input: KindInput,
  budget: WorkBudget,
): Promise<readonly StatusCause[]> {
  const { validate, prepare } = strategyFor(input.bucket);
  if (budget.spent.bytes < largeBytes || !validate) return validateKindTask(input);
  const causes = await sharedThreads.run(owner, kindTask, input, budget);
  if (causes.length === 0 && prepare) await inTurns(prepare(input.object), owner, budget);
  return causes;
}

function validateKindTask({ bucket, object, current }: KindInput): readonly StatusCause[] {
  return strategyFor(bucket).validate?.(object, current) ?? [];
}

/** Validates an object of a built-in kind. */
export const kindTask: ThreadTask<KindInput, readonly StatusCause[]> = {
  name: "validateKind",
  run: (input, budget) => {
    budget.spend(1);
    return validateKindTask(input);
  },
};
