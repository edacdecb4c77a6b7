import { sharedTurns } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import type { GroupVersionKind } from "@keelson/kinds";
import { applyJsonPatch, applyStrategicMergePatch, type DeclaredMergeRules } from "@keelson/wire-formats";
import { sharedThreads } from "./thread-pool.ts";
import type { ThreadTask } from "./thread-task.ts";
import { tryHere } from "./try-here.ts";

type JsonMap = Readonly<Record<string, unknown>>;

/** Patch and the object to patch. */
export type PatchInput =
  | { readonly type: "json"; readonly object: JsonMap; readonly patch: unknown }
  | {
      readonly type: "strategic-merge";
      readonly kind: GroupVersionKind;
      /** Rules of a kind that is not built in. */
      readonly declared?: DeclaredMergeRules | undefined;
      readonly object: JsonMap;
      readonly patch: unknown;
    };

/**
 * Applies a patch. Cheap patches are applied inline, expensive patches in a worker thread.
 * @throws PatchError, StatusError 429, WorkBudgetExceeded
 */
export async function patchFairly(
  owner: object,
  input: PatchInput,
  budget: WorkBudget,
): Promise<Record<string, unknown>> {
  const here = tryHere(budget, (brief) => applyPatchTask(input, brief));
  if (here) return here.result;
  await sharedTurns.next(owner, budget);
  return sharedThreads.run(owner, patchTask, input, budget);
}

function applyPatchTask(input: PatchInput, budget: WorkBudget): Record<string, unknown> {
  const { object, patch } = input;
  return input.type === "json"
    ? applyJsonPatch(object, patch, budget)
    : applyStrategicMergePatch(input.kind, object, patch, budget, input.declared);
}

export const patchTask: ThreadTask<PatchInput, Record<string, unknown>> = {
  name: "applyPatch",
  run: applyPatchTask,
};
