import { type Controller, done, type Result, watch, watchOwned } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { adoptPods } from "../pods/adopt.ts";
import { createPod } from "../pods/create-pod.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planReplicaSet } from "./plan.ts";

const { pods, replicaSets: resource } = resources;

/** ReplicaSet controller: maintains `spec.replicas` pods. */
export const replicaSets: Controller<WorkloadContext> = {
  name: "replica-sets",
  watches: [watch(resource), watchOwned(pods, resource)],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const replicaSet = context.informer(resource).get(key);
  if (!replicaSet) return done;
  const owned = await adoptPods(replicaSet, context);
  const plan = planReplicaSet(replicaSet, owned, context.clock.now());
  await Promise.all(
    Array.from({ length: plan.create }, () => createPod(replicaSet, podFromTemplate(replicaSet), context)),
  );
  await Promise.all(plan.delete.map((pod) => context.delete(pods, pod)));
  // Counts the pods again for the status, after the writes above. Each created or deleted pod also triggers a further
  // reconciliation.
  const present = context.informer(pods).by("controller", replicaSet.metadata.uid ?? "");
  const { status, waitMs } = planReplicaSet(replicaSet, present, context.clock.now());
  await writeStatus(context, resource, replicaSet, status);
  return waitMs === undefined ? done : { requeueAfterMs: waitMs };
}
