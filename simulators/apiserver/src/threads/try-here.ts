import { WorkBudget, type WorkLimits } from "@keelson/base";

/** Some milliseconds on the event loop; what takes longer is done again in a thread. */
const briefly: WorkLimits = { nodes: 10_000, bytes: 500_000, timeMs: 10 };

/** The result of work that is done soon, taken off the budget; `undefined` when it is not. @throws what `work` does within the time */
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
  // Expressions that run out of it say so in their own words, which are not the last ones.
  return brief.exceeded ? undefined : done;
}
