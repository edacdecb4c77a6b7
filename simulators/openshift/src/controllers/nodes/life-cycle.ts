import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { recordAt } from "../../runtime/fields.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { nodeTaints } from "./taints.ts";

const { nodes: resource } = workloadResources;

/** Keeps the taints of nodes that no machine stands behind: new ones are tainted until they are found ready. */
export const nodeLifeCycle: WorkloadController = {
  name: "node-life-cycle",
  watches: [{ resource, keys: (node) => [keyOf(node)] }],
  reconcile,
};

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const node = context.cache(resource).get(parseKey(key));
  const taints = node && nodeTaints(node, context.clock.now());
  if (taints) await context.update(resource, { ...node, spec: { ...recordAt(node, "spec"), taints } });
  return settled;
}
