import { CloudError } from "@keelson/arm";
import type { Graph, Step } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";

/**
 * Returns copies of the graphs in which the step `name` does its work and then fails. This is the worst case for a retry, because
 * the retried step finds its work already done.
 */
export function failingAfter(
  graphs: readonly Graph<ClusterContext>[],
  name: string,
): readonly Graph<ClusterContext>[] {
  const fail = () => {
    throw new CloudError("InvalidParameter", `injected after ${name}`);
  };
  const failing = (step: Step<ClusterContext>): Step<ClusterContext> => {
    if (step.name !== name) return step;
    return step.kind === "action"
      ? { ...step, run: (context) => step.run(context).then(fail) }
      : { ...step, until: async (context) => ((await step.until(context)) ? fail() : false) };
  };
  return graphs.map((graph) => ({ ...graph, steps: graph.steps.map(failing) }));
}
