import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus, withConditions } from "../../runtime/conditions.ts";
import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { at, listAt, recordAt, textAt } from "../../runtime/fields.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { recordEvent } from "../../workloads/record-event.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { writeStatus } from "../../workloads/write-status.ts";
import { chooseNode } from "./choose-node.ts";

const { pods, nodes, persistentVolumeClaims } = workloadResources;
const schedulerName = "default-scheduler";

/** Binds pods to nodes; those that fit on none wait until a node or a pod changes. */
export const scheduler: WorkloadController = {
  name: "scheduler",
  watches: [
    { resource: pods, keys: concerned },
    { resource: nodes, keys: (_node, context) => waiting(context) },
    { resource: persistentVolumeClaims, keys: (_claim, context) => waiting(context) },
  ],
  reconcile: schedule,
};

/** The pod itself while it has no node; those that wait when one that had a node is gone or has ended. */
function concerned(pod: KubeObject, context: WorkloadContext): readonly string[] {
  if (!textAt(pod, "spec", "nodeName")) return [keyOf(pod)];
  const phase = textAt(pod, "status", "phase");
  const left =
    context.cache(pods).get(pod.metadata) === undefined || phase === "Succeeded" || phase === "Failed";
  return left ? waiting(context) : [];
}

function waiting(context: WorkloadContext): readonly string[] {
  return context.cache(pods).by("node", "").map(keyOf);
}

async function schedule(key: string, context: WorkloadContext): Promise<Outcome> {
  const pod = context.cache(pods).get(parseKey(key));
  if (!pod || textAt(pod, "spec", "nodeName") || pod.metadata.deletionTimestamp !== undefined) return settled;
  if ((textAt(pod, "spec", "schedulerName") ?? schedulerName) !== schedulerName) return settled;
  if (listAt(pod, "spec", "schedulingGates").length > 0) return settled;
  const binding = bindingOf(context);
  const soon = Map.groupBy(binding.values(), (each) => textAt(each, "spec", "nodeName") ?? "");
  const choice =
    missingClaim(pod, context) ??
    chooseNode(pod, context.cache(nodes).list(), (node) => [
      ...context.cache(pods).by("node", node),
      ...(soon.get(node) ?? []),
    ]);
  if (choice.kind === "node") {
    const bound = { ...pod, spec: { ...recordAt(pod, "spec"), nodeName: choice.node.metadata.name } };
    binding.set(key, bound);
    try {
      await context.update(pods, bound);
    } finally {
      binding.delete(key);
    }
    const { namespace, name } = pod.metadata;
    await recordEvent(context, pod, {
      type: "Normal",
      reason: "Scheduled",
      message: `Successfully assigned ${namespace}/${name} to ${choice.node.metadata.name}`,
      source: schedulerName,
    });
    return settled;
  }
  const condition = {
    type: "PodScheduled",
    status: "False",
    reason: "Unschedulable",
    message: choice.message,
  } as const;
  const told = listAt(pod, "status", "conditions").some(
    (each) => textAt(each, "type") === "PodScheduled" && textAt(each, "message") === choice.message,
  );
  if (told && conditionStatus(pod, "PodScheduled") === "False") return settled;
  await writeStatus(context, pods, pod, {
    ...recordAt(pod, "status"),
    phase: "Pending",
    conditions: withConditions(pod, [condition], context.clock.now()),
  });
  await recordEvent(context, pod, {
    type: "Warning",
    reason: "FailedScheduling",
    message: choice.message,
    source: schedulerName,
  });
  return settled;
}

/** Pods that are being bound at the moment: the others must know where they go. */
const bindings = new WeakMap<WorkloadContext, Map<string, KubeObject>>();

function bindingOf(context: WorkloadContext): Map<string, KubeObject> {
  const known = bindings.get(context) ?? new Map<string, KubeObject>();
  bindings.set(context, known);
  return known;
}

function missingClaim(
  pod: KubeObject,
  context: WorkloadContext,
): { readonly kind: "none"; readonly message: string } | undefined {
  const { namespace } = pod.metadata;
  for (const volume of listAt(pod, "spec", "volumes")) {
    const name = textAt(volume, "persistentVolumeClaim", "claimName");
    if (name === undefined) continue;
    const claim = context.cache(persistentVolumeClaims).get({ namespace, name });
    const nodeCount = context.cache(nodes).list().length;
    if (!claim) {
      return {
        kind: "none",
        message: `0/${nodeCount} nodes are available: persistentvolumeclaim "${name}" not found.`,
      };
    }
    if (at(claim, "status", "phase") !== "Bound") {
      return {
        kind: "none",
        message: `0/${nodeCount} nodes are available: pod has unbound immediate PersistentVolumeClaims.`,
      };
    }
  }
  return undefined;
}
