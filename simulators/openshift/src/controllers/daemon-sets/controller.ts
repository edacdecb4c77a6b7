import { numberAt } from "@keelson/base";
import {
  type Controller,
  done,
  keyOf,
  type ReconcileScope,
  type Result,
  watch,
  watchMapped,
  watchOwned,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { aggregatePause } from "../../base/aggregate-pause.ts";
import { nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { adoptPods } from "../pods/adopt.ts";
import { createPod } from "../pods/create-pod.ts";
import { recordRevision } from "../pods/revisions.ts";
import { slowStart } from "../pods/slow-start.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planDaemonSet, revisionLabel } from "./plan.ts";

const { controllerRevisions, daemonSets: resource, nodes, pods } = resources;

/** DaemonSet controller: maintains one pod on each matching node. */
export const daemonSets: Controller<WorkloadContext> = {
  name: "daemon-sets",
  watches: [
    watch(resource),
    watchOwned(controllerRevisions, resource),
    watchOwned(pods, resource),
    watchMapped(nodes, (_node, context: WorkloadContext) => context.informer(resource).list().map(keyOf), {
      where: nodeChanged,
    }),
  ],
  reconcile,
};

async function reconcile(
  key: ObjectKey,
  context: WorkloadContext,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const daemonSet = context.informer(resource).get(key);
  if (!daemonSet || daemonSet.metadata.deletionTimestamp !== undefined) return done;
  const plan = planDaemonSet(
    daemonSet,
    await adoptPods(daemonSet, context),
    context.informer(nodes).list(),
    context.clock.now(),
  );
  await recordRevision(daemonSet, plan.hash, context);
  await slowStart(plan.create.length, (at) => {
    const pod = podFromTemplate(daemonSet, { [revisionLabel]: plan.hash }, { nodeName: plan.create[at] });
    return createPod(daemonSet, pod, context);
  });
  for (const pod of plan.delete) await context.delete(pods, pod);
  const present = context.informer(pods).by("controller", daemonSet.metadata.uid ?? "");
  const { status } = planDaemonSet(daemonSet, present, context.informer(nodes).list(), context.clock.now());
  await writeStatus(context, resource, daemonSet, status);
  await aggregatePause(context.clock, present.length, signal);
  const waits =
    (numberAt(daemonSet, "spec", "minReadySeconds") ?? 0) > 0 && status.numberUnavailable !== undefined;
  return waits ? { requeueAfterMs: 1_000 } : done;
}
