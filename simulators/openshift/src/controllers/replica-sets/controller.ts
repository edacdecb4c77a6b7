import {
  type Controller,
  done,
  type ReconcileScope,
  type Result,
  watch,
  watchOwned,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { adoptPods } from "../pods/adopt.ts";
import { createPod } from "../pods/create-pod.ts";
import { slowStart } from "../pods/slow-start.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planReplicaSet } from "./plan.ts";

const { pods, replicaSets: resource } = resources;

/** ReplicaSet controller: maintains `spec.replicas` pods. */
export const replicaSets: Controller<WorkloadContext> = {
  name: "replica-sets",
  watches: [watch(resource), watchOwned(pods, resource)],
  reconcile,
};

/** Milliseconds of pause for each pod. The pause limits how often the status of a large ReplicaSet is computed. */
const pauseMsPerPod = 1 / 100;
/** Number of pods up to which the status is computed after each change. */
const smallReplicas = 500;

async function reconcile(
  key: ObjectKey,
  context: WorkloadContext,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const replicaSet = context.informer(resource).get(key);
  if (!replicaSet) return done;
  const owned = await adoptPods(replicaSet, context);
  const plan = planReplicaSet(replicaSet, owned, context.clock.now());
  await slowStart(plan.create, () => createPod(replicaSet, podFromTemplate(replicaSet), context));
  await slowStart(plan.delete.length, async (at) => {
    const pod = plan.delete[at];
    if (pod) await context.delete(pods, pod);
  });
  // Counts the pods again for the status, after the writes above. Each created or deleted pod also triggers a further
  // reconciliation.
  const present = context.informer(pods).by("controller", replicaSet.metadata.uid ?? "");
  const { status, waitMs } = planReplicaSet(replicaSet, present, context.clock.now());
  await writeStatus(context, resource, replicaSet, status);
  if (present.length > smallReplicas) await context.clock.sleep(present.length * pauseMsPerPod, signal);
  return waitMs === undefined ? done : { requeueAfterMs: waitMs };
}
