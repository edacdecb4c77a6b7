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
import { podFromTemplate } from "../pods/template.ts";
import { planReplicaSet } from "./plan.ts";

const { pods, replicaSets: resource } = resources;

/** ReplicaSet controller: maintains `spec.replicas` pods. */
export const replicaSets: Controller<WorkloadContext> = {
  name: "replica-sets",
  watches: [watch(resource), watchOwned(pods, resource)],
  reconcile,
};

/**
 * Maximum number of concurrent writes of one ReplicaSet. All requests of a larger number would run in the same event loop turn.
 */
const concurrentWrites = 32;
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
  const created = Array.from({ length: plan.create }, () => podFromTemplate(replicaSet));
  await eachOf(created, concurrentWrites, signal, (pod) => createPod(replicaSet, pod, context));
  await eachOf(plan.delete, concurrentWrites, signal, (pod) => context.delete(pods, pod));
  // Counts the pods again for the status, after the writes above. Each created or deleted pod also triggers a further
  // reconciliation.
  const present = context.informer(pods).by("controller", replicaSet.metadata.uid ?? "");
  const { status, waitMs } = planReplicaSet(replicaSet, present, context.clock.now());
  await writeStatus(context, resource, replicaSet, status);
  if (present.length > smallReplicas) await context.clock.sleep(present.length * pauseMsPerPod, signal);
  return waitMs === undefined ? done : { requeueAfterMs: waitMs };
}

/** Calls `run` for each item, with a limited number of concurrent calls. Stops after the first failure. */
async function eachOf<T>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal,
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  const remaining = items.values();
  const stopped = new AbortController();
  const worker = async () => {
    for (const item of remaining) {
      if (signal.aborted || stopped.signal.aborted) return;
      await run(item).catch((error: unknown) => {
        stopped.abort();
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
