import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { numberAt } from "../../runtime/fields.ts";
import { controllerKeys } from "../../runtime/ownership.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { writeStatus } from "../../workloads/write-status.ts";
import { adoptPods } from "../pods/adopt.ts";
import { recordRevision } from "../pods/revisions.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planDaemonSet, revisionLabel } from "./plan.ts";

const { controllerRevisions, daemonSets: resource, nodes, pods } = workloadResources;

/** One pod on each node that fits. */
export const daemonSets: WorkloadController = {
  name: "daemon-sets",
  watches: [
    { resource, keys: (daemonSet) => [keyOf(daemonSet)] },
    { resource: controllerRevisions, keys: (revision) => controllerKeys(revision, "DaemonSet") },
    { resource: pods, keys: (pod) => controllerKeys(pod, "DaemonSet") },
    { resource: nodes, keys: (_node, context) => context.cache(resource).list().map(keyOf) },
  ],
  reconcile,
};

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const daemonSet = context.cache(resource).get(parseKey(key));
  if (!daemonSet || daemonSet.metadata.deletionTimestamp !== undefined) return settled;
  const plan = planDaemonSet(
    daemonSet,
    await adoptPods(daemonSet, context),
    context.cache(nodes).list(),
    context.clock.now(),
  );
  await recordRevision(daemonSet, plan.hash, context);
  await Promise.all(
    plan.create.map((nodeName) =>
      context.create(pods, podFromTemplate(daemonSet, { [revisionLabel]: plan.hash }, { nodeName })),
    ),
  );
  for (const pod of plan.delete) await context.delete(pods, pod);
  const present = context.cache(pods).by("controller", daemonSet.metadata.uid ?? "");
  const { status } = planDaemonSet(daemonSet, present, context.cache(nodes).list(), context.clock.now());
  await writeStatus(context, resource, daemonSet, status);
  const waits =
    (numberAt(daemonSet, "spec", "minReadySeconds") ?? 0) > 0 && status.numberUnavailable !== undefined;
  return waits ? { requeueAfterMs: 1_000 } : settled;
}
