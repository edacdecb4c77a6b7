import { WorkBudget, type WorkLimits } from "@keelson/base";

/** Limits of inline work: some milliseconds on the event loop. Longer work is repeated in a thread. */
const briefly: WorkLimits = { nodes: 10_000, bytes: 500_000, timeMs: 10 };

/**
 * Runs short work inline and deducts its cost from the budget. Undefined if it exceeds the limits. @throws
 * errors of `work` within the limits
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
  // Expressions report an exceeded budget as their own error, which is not the final result.
  return brief.exceeded ? undefined : done;
}
