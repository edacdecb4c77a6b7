import { objectAt } from "@keelson/base";
import { type Controller, done, type Result, watch } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { nodeTaints } from "./taints.ts";

const { nodes: resource } = resources;

/** Maintains the taints of nodes in clusters without simulated machines. A new node is tainted until it is ready. */
export const nodeLifeCycle: Controller<WorkloadContext> = {
  name: "node-life-cycle",
  watches: [watch(resource, { where: nodeChanged })],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const node = context.informer(resource).get(key);
  const taints = node && nodeTaints(node, context.clock.now());
  if (taints) await context.update(resource, { ...node, spec: { ...objectAt(node, "spec"), taints } });
  return done;
}
