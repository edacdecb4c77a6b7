import { listAt, messageOf, stringAt } from "@keelson/base";
import { type Controller, done, watchFor } from "@keelson/controller";
import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import {
  masters,
  mirrorPodKey,
  podsOf,
  type StaticPod,
  watchMasters,
  watchPods,
} from "../static-pod/static-pod.ts";
import { guardAccount, guardPod, isOutdatedGuard, type ReadinessEndpoint } from "./guard-pod.ts";

export interface GuardOptions<Parts extends OperatorParts> {
  readonly pod: StaticPod;
  readonly readiness: ReadinessEndpoint;
  /**
   * Returns true if guard pods are needed. Returns false on a cluster with a single master, where a disruption budget would block
   * every eviction.
   */
  readonly when: (request: OperatorRequest<Parts>) => boolean;
}

/** Creates a guard pod on each master and a disruption budget. Node drains then evict at most one static pod at a time. */
export function guard<Parts extends OperatorParts>({
  pod,
  readiness,
  when,
}: GuardOptions<Parts>): Controller<Parts> {
  const { name, namespace } = pod;
  const budget = { namespace, name: `${name}-guard-pdb` };
  const fieldSelector = `metadata.name=${budget.name}`;
  return operatorController<Parts>(pod.resource, {
    name: "GuardController",
    degraded: { type: "GuardControllerDegraded", failed: "SyncError", fine: "AsExpected" },
    watches: [
      watchPods(pod),
      watchMasters((node) => [isSchedulable(node), conditionStatus(node, "Ready")]),
      watchFor(resources.podDisruptionBudgets, operatorKey, { selection: { namespace, fieldSelector } }),
    ],
    resyncMs: 600_000,
    async reconcile(request) {
      const { objects, parts, signal } = request;
      if (!when(request)) {
        await objects.remove(resources.podDisruptionBudgets, budget);
        for (const { metadata } of podsOf(parts.cache, pod))
          if (metadata.labels?.app === "guard")
            await objects.remove(resources.pods, { namespace, name: metadata.name });
        await objects.remove(resources.serviceAccounts, { namespace, name: guardAccount });
        return done;
      }
      const nodes = masters(parts.cache);
      const spec = {
        minAvailable: Math.max(0, nodes.length - 1),
        selector: { matchLabels: { app: "guard" } },
        unhealthyPodEvictionPolicy: "AlwaysAllow",
      };
      await objects.ensure(resources.podDisruptionBudgets, { metadata: budget, spec });
      const account = { namespace, name: guardAccount, labels: { app: "guard" } };
      await objects.ensure(resources.serviceAccounts, { metadata: account });
      const failures: string[] = [];
      for (const node of nodes.filter(isSchedulable))
        await guardNode(pod, readiness, node, request).catch((error) => {
          if (signal.aborted) throw error;
          failures.push(messageOf(error));
        });
      if (failures.length > 0) throw new Error(failures.sort().join("\n"));
      return done;
    },
  });
}

async function guardNode(
  pod: StaticPod,
  readiness: ReadinessEndpoint,
  node: KubeObject,
  { objects, parts }: OperatorRequest<OperatorParts>,
): Promise<void> {
  const { name } = node.metadata;
  const operand = parts.cache.find(resources.pods, mirrorPodKey(pod, name));
  if (!operand) {
    // The kubelet of a node that is not ready may not have started the pod yet.
    if (conditionStatus(node, "Ready") !== "True") return;
    throw new Error(`Missing operand on node ${name}`);
  }
  const podIP = stringAt(operand, "status", "podIP") ?? "";
  if (podIP === "") throw new Error(`Missing PodIP in operand ${operand.metadata.name} on node ${name}`);
  const wanted = guardPod(pod, readiness, name, podIP);
  const key = { namespace: pod.namespace, name: wanted.metadata.name };
  const live = await objects.find(resources.pods, key);
  if (live && !isOutdatedGuard(live, wanted)) return;
  if (live) await objects.remove(resources.pods, key);
  // The name remains in use until the terminating guard pod is removed. Its removal triggers the next reconcile.
  else await objects.create(resources.pods, wanted);
}

function isSchedulable(node: KubeObject): boolean {
  return !listAt(node, "spec", "taints").some(
    (taint) =>
      stringAt(taint, "key") === "node.kubernetes.io/unschedulable" &&
      stringAt(taint, "effect") === "NoSchedule",
  );
}
