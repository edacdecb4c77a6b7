import { inTurns, type KubeObject, type StatusCause } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { sharedThreads } from "../threads/thread-pool.ts";
import type { ThreadTask } from "../threads/thread-task.ts";
import { strategyFor } from "./strategy.ts";

/** Object to validate, and its previous state. The bucket identifies the kind. */
export interface KindInput {
  readonly bucket: string;
  readonly object: KubeObject;
  readonly current: KubeObject | undefined;
}

/** Maximum request size in bytes for inline validation. Objects of larger requests are validated in a worker thread. */
const largeBytes = 262_144;

/**
 * Validates an object with its kind's rules. Objects of small requests are validated inline, and objects of large requests in a
 * worker thread.
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

export const kindTask: ThreadTask<KindInput, readonly StatusCause[]> = {
  name: "validateKind",
  run: (input, budget) => {
    budget.spend(1);
    return validateKindTask(input);
  },
};
