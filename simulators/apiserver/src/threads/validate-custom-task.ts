import { type StatusCause, sharedTurns } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import {
  type CustomChange,
  type StructuralSchema,
  schemaOfText,
  textOfSchema,
  validateCustom,
} from "@keelson/schema";
import { sharedThreads } from "./thread-pool.ts";
import type { ThreadTask } from "./thread-task.ts";
import { tryHere } from "./try-here.ts";

/** Input for the validation of a custom resource in a worker thread. */
export interface CustomInput {
  readonly schema: string;
  readonly change: Omit<CustomChange, "warn" | "budget">;
}

export interface CustomOutput {
  readonly causes: readonly StatusCause[];
  readonly warnings: readonly string[];
}

/**
 * Validates a custom resource. Cheap validations run inline, expensive validations in a worker thread.
 * @throws StatusError 429, WorkBudgetExceeded
 */
export async function validateCustomFairly(
  owner: object,
  schema: StructuralSchema,
  { warn, budget, ...change }: CustomChange & { readonly budget: WorkBudget },
): Promise<readonly StatusCause[]> {
  const validated = (brief: WorkBudget): CustomOutput => {
    const warnings: string[] = [];
    const causes = validateCustom(schema, { ...change, warn: (text) => warnings.push(text), budget: brief });
    return { causes, warnings };
  };
  const inThread = async (): Promise<CustomOutput> => {
    await sharedTurns.next(owner, budget);
    const text = textOfSchema(schema);
    if (text === undefined) return validated(budget);
    return sharedThreads.run(owner, customTask, { schema: text, change }, budget);
  };
  const { causes, warnings } = tryHere(budget, validated)?.result ?? (await inThread());
  for (const each of warnings) warn?.(each);
  return causes;
}

function validateCustomTask({ schema, change }: CustomInput, budget: WorkBudget): CustomOutput {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const causes = validateCustom(schemaOfText(schema), { ...change, warn, budget });
  return { causes, warnings };
}

export const customTask: ThreadTask<CustomInput, CustomOutput> = {
  name: "validateCustom",
  run: validateCustomTask,
};
