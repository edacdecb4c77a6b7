import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { controllerKeys } from "../../runtime/ownership.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { writeStatus } from "../../workloads/write-status.ts";
import { adoptPods } from "../pods/adopt.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planReplicaSet } from "./plan.ts";

const { pods, replicaSets: resource } = workloadResources;

/** As many pods as `spec.replicas` says. */
export const replicaSets: WorkloadController = {
  name: "replica-sets",
  watches: [
    { resource, keys: (replicaSet) => [keyOf(replicaSet)] },
    { resource: pods, keys: (pod) => controllerKeys(pod, "ReplicaSet") },
  ],
  reconcile,
};

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const replicaSet = context.cache(resource).get(parseKey(key));
  if (!replicaSet) return settled;
  const owned = await adoptPods(replicaSet, context);
  const plan = planReplicaSet(replicaSet, owned, context.clock.now());
  await Promise.all(
    Array.from({ length: plan.create }, () => context.create(pods, podFromTemplate(replicaSet))),
  );
  await Promise.all(plan.delete.map((pod) => context.delete(pods, pod)));
  // Pods that came or went bring the key back; the status tells of what there is.
  const present = context.cache(pods).by("controller", replicaSet.metadata.uid ?? "");
  const { status, waitMs } = planReplicaSet(replicaSet, present, context.clock.now());
  await writeStatus(context, resource, replicaSet, status);
  return waitMs === undefined ? settled : { requeueAfterMs: waitMs };
}
