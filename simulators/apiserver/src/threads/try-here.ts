import { WorkBudget, type WorkLimits } from "@keelson/base";

/**
 * Limits of inline work. The work blocks the event loop for at most a few milliseconds. Longer work is repeated in a worker
 * thread.
 */
const briefly: WorkLimits = { nodes: 10_000, bytes: 500_000, timeMs: 10 };

/**
 * Runs short work inline and deducts its cost from the budget. Returns undefined if the work exceeds the inline limits.
 * @throws the error of `work`, if `work` stays within the limits
 */
export function tryHere<T>(
  budget: WorkBudget,
  work: (brief: WorkBudget) => T,
): { readonly result: T } | undefined {
  const { remaining } = budget;
  const brief = new WorkBudget({
    nodes: Math.min(briefly.nodes, remaining.nodes),
    bytes: Math.min(briefly.bytes, remaining.bytes),
    timeMs: Math.min(briefly.timeMs, remaining.timeMs),
  });
  let done: { readonly result: T } | undefined;
  try {
    done = { result: work(brief) };
  } catch (error) {
    if (!brief.exceeded) throw error;
  }
  budget.spend(Math.min(brief.spent.nodes, remaining.nodes), Math.min(brief.spent.bytes, remaining.bytes));
  // If an expression exceeds the inline limits, its evaluation returns an error. This error is not the final result, because a
  // worker thread repeats the work.
  return brief.exceeded ? undefined : done;
}
