import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Change, type Controller, done, keyOf, type Result, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { conditionOf, withConditions } from "../../base/conditions.ts";
import { nodeChanged } from "../../base/node-changes.ts";
import { resources } from "../../base/resources.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { chooseNode } from "./choose-node.ts";
import { ClusterOccupancy } from "./node-occupancy.ts";

const { pods, nodes, persistentVolumeClaims } = resources;
const schedulerName = "default-scheduler";

/** Binds pods to nodes. Unschedulable pods wait until a node or pod changes. */
export const scheduler: Controller<WorkloadContext> = {
  name: "scheduler",
  // A decision takes microseconds, but each binding waits for storage.
  concurrency: 64,
  watches: [
    watchMapped(pods, concerned),
    watchMapped(nodes, (_node, context: WorkloadContext) => waiting(context), { where: nodeChanged }),
    watchMapped(persistentVolumeClaims, (_claim, context: WorkloadContext) => waiting(context)),
  ],
  reconcile: schedule,
};

/**
 * Returns the pods to schedule after a change. For an unscheduled pod, returns this pod. For a deleted or terminated pod, returns
 * all waiting pods because the pod frees resources.
 */
function concerned(pod: KubeObject, context: WorkloadContext, { type }: Change): readonly ObjectKey[] {
  if (!stringAt(pod, "spec", "nodeName")) return [keyOf(pod)];
  const phase = stringAt(pod, "status", "phase");
  return type === "deleted" || phase === "Succeeded" || phase === "Failed" ? waiting(context) : [];
}

/** Returns the pods that were reported as unschedulable. Other unscheduled pods are already queued. */
function waiting(context: WorkloadContext): readonly ObjectKey[] {
  return context.informer(pods).by("unschedulable", "").map(keyOf);
}

async function schedule(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const pod = context.informer(pods).get(key);
  if (!pod || stringAt(pod, "spec", "nodeName") || pod.metadata.deletionTimestamp !== undefined) return done;
  if ((stringAt(pod, "spec", "schedulerName") ?? schedulerName) !== schedulerName) return done;
  if (listAt(pod, "spec", "schedulingGates").length > 0) return done;
  const occupancy = occupancyOf(context);
  const choice =
    missingClaim(pod, context) ??
    chooseNode(pod, context.informer(nodes).list(), {
      occupancyOf: (node) => occupancy.of(node),
      podsOn: (node) => [...context.informer(pods).by("node", node), ...occupancy.binding(node)],
    });
  if (choice.kind === "node") {
    const bound = { ...pod, spec: { ...objectAt(pod, "spec"), nodeName: choice.node.metadata.name } };
    {
      using _binding = occupancy.bind(bound);
      await context.update(pods, bound);
    }
    const { namespace, name } = pod.metadata;
    await recordEvent(context, pod, {
      type: "Normal",
      reason: "Scheduled",
      message: `Successfully assigned ${namespace}/${name} to ${choice.node.metadata.name}`,
      source: schedulerName,
    });
    return done;
  }
  const condition = {
    type: "PodScheduled",
    status: "False",
    reason: "Unschedulable",
    message: choice.message,
  } as const;
  const { status, message } = conditionOf(pod, "PodScheduled");
  if (status === "False" && message === choice.message) {
    // A binding in progress can fail. The node of this binding then has room, although no object has changed.
    return occupancy.isBinding ? { requeueAfterMs: 1_000 } : done;
  }
  await writeStatus(context, pods, pod, {
    ...objectAt(pod, "status"),
    phase: "Pending",
    conditions: withConditions(pod, [condition], context.clock.now()),
  });
  await recordEvent(context, pod, {
    type: "Warning",
    reason: "FailedScheduling",
    message: choice.message,
    source: schedulerName,
  });
  return done;
}

const occupancies = new WeakMap<WorkloadContext, ClusterOccupancy>();

function occupancyOf(context: WorkloadContext): ClusterOccupancy {
  const known = occupancies.get(context) ?? new ClusterOccupancy(context.informer(pods));
  occupancies.set(context, known);
  return known;
}

function missingClaim(
  pod: KubeObject,
  context: WorkloadContext,
): { readonly kind: "none"; readonly message: string } | undefined {
  for (const volume of listAt(pod, "spec", "volumes")) {
    const name = stringAt(volume, "persistentVolumeClaim", "claimName");
    if (name === undefined) continue;
    const claim = context.informer(persistentVolumeClaims).get({ ...keyOf(pod), name });
    const nodeCount = context.informer(nodes).list().length;
    if (!claim) {
      return {
        kind: "none",
        message: `0/${nodeCount} nodes are available: persistentvolumeclaim "${name}" not found.`,
      };
    }
    if (valueAt(claim, "status", "phase") !== "Bound") {
      return {
        kind: "none",
        message: `0/${nodeCount} nodes are available: pod has unbound immediate PersistentVolumeClaims.`,
      };
    }
  }
  return undefined;
}
