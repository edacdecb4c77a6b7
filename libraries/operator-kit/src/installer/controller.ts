import { numberAt } from "@keelson/base";
import type { Condition, Controller } from "@keelson/controller";
import { conditionStatus, type KubeObject, resources } from "@keelson/kube";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import { type NodeStatus, nodeStatuses, replaceNodeStatus } from "../static-pod/node-status.ts";
import {
  hasStartupMonitor,
  masters,
  mirrorPodKey,
  type StaticPod,
  watchMasters,
  watchPods,
  watchSources,
} from "../static-pod/static-pod.ts";
import { installConditions, installConditionTypes } from "./install-conditions.ts";
import { installerPod, missingSources, revisionStatusKey } from "./installer-pod.ts";
import { type InstallView, planInstall } from "./plan-install.ts";

export interface InstallerOptions {
  readonly pod: StaticPod;
  /** Time in ms that a pod must be ready before the pod of the next node is restarted. Default: 30 seconds. */
  readonly minReadyMs?: number | undefined;
}

/** Delay in ms until the next plan if the cache is behind the API server. A watch event usually triggers it earlier. */
const staleCacheMs = 1_000;

const degraded = { type: "InstallerControllerDegraded", failed: "Error" } as const;

/**
 * Rolls out the latest revision node by node. The controller sets a node's target revision and creates an installer pod. The
 * installer writes the revision to the node's disk. The controller then waits for a ready static pod.
 */
export function installer<Parts extends OperatorParts>({
  pod,
  minReadyMs = 30_000,
}: InstallerOptions): Controller<Parts> {
  /**
   * Contains only the name of the installer pod that this process created last. If this pod must be created again, it was
   * deleted, and an Event reports this.
   */
  const created = new Set<string>();
  return operatorController<Parts>(pod.resource, {
    name: "Installer",
    degraded,
    conditions: installConditionTypes,
    watches: [watchPods(pod), ...watchSources(pod), watchMasters(({ metadata }) => metadata.uid)],
    resyncMs: 60_000,
    async reconcile(request) {
      const { configuration, parts } = request;
      const nodes = nodeStatuses(configuration);
      const latest = numberAt(configuration, "status", "latestAvailableRevision") ?? 0;
      const exists = (resource: typeof resources.configMaps, name: string) =>
        parts.cache.find(resource, { namespace: pod.namespace, name }) !== undefined;
      const missing = missingSources(pod, latest, exists);
      if (missing.length > 0) {
        const conditions = [...installConditions(nodes, latest), failure(request, missing)];
        return { conditions };
      }
      // After a new node replaced a node with the same name, waits until the node controller resets its status entry.
      const isReplaced = masters(parts.cache).some(({ metadata: { name, uid } }) =>
        nodes.some(({ nodeName, nodeUID }) => nodeName === name && nodeUID !== undefined && nodeUID !== uid),
      );
      if (isReplaced) return { conditions: installConditions(nodes, latest) };
      const { nodes: after, requeueAfterMs } = await act(pod, minReadyMs, request, nodes, latest, created);
      return {
        conditions: installConditions(after, latest),
        requeueAfterMs,
      };
    },
  });
}

async function act(
  pod: StaticPod,
  minReadyMs: number,
  request: OperatorRequest<OperatorParts>,
  nodes: readonly NodeStatus[],
  latest: number,
  created: Set<string>,
): Promise<{ readonly nodes: readonly NodeStatus[]; readonly requeueAfterMs?: number }> {
  const { configuration, logger, objects, parts, signal } = request;
  const { cache, clock, events, operator } = parts;
  const { namespace } = pod;
  const changing = nodes.find(({ targetRevision }) => targetRevision !== 0);
  const hasMonitor = changing !== undefined && hasStartupMonitor(pod, cache, changing.targetRevision);
  const view: InstallView = {
    nodes,
    latest,
    namespace,
    operandOf: (node) => cache.find(resources.pods, mirrorPodKey(pod, node)),
    installerOf: (name) => cache.find(resources.pods, { namespace, name }),
    hasStartupMonitor: hasMonitor,
    minReadyMs,
    now: clock.now(),
  };
  const plan = planInstall(view);
  if (plan.kind === "wait") return { nodes, requeueAfterMs: plan.afterMs };
  if (plan.kind === "idle") {
    logger.debug({ reason: plan.reason }, "no node has made progress");
    return { nodes };
  }
  if (plan.kind === "install") {
    const { installer: name, node } = plan;
    // The cache may be behind the API server, so the decision to restart a pod is repeated with the current pods.
    const operands = await liveOperands(pod, request, nodes);
    const current = planInstall({ ...view, operandOf: (name) => operands.get(name) });
    if (current.kind !== "install") return { nodes, requeueAfterMs: staleCacheMs };
    const status = await parts.api.get(
      resources.configMaps,
      revisionStatusKey(pod, node.targetRevision),
      signal,
    );
    if (created.has(name))
      events.report({
        type: "Warning",
        reason: "InstallerPodDisappeared",
        message: `pods ${JSON.stringify(name)} not found`,
      });
    await objects.create(resources.pods, installerPod(pod, configuration, node, name, status, hasMonitor));
    created.clear();
    created.add(name);
    return { nodes };
  }
  const { event, obsolete, reason, status } = plan;
  if (obsolete !== undefined) await objects.remove(resources.pods, { namespace, name: obsolete });
  await operator.patchStatus(replaceNodeStatus(configuration, status), signal);
  const { nodeName, currentRevision, targetRevision } = status;
  logger.info({ node: nodeName, currentRevision, targetRevision, reason }, "advanced the rollout of a node");
  if (event) events.report(event);
  // The watch delivers the written status, which triggers the next step.
  return { nodes: nodes.map((each) => (each.nodeName === nodeName ? status : each)) };
}

async function liveOperands(
  pod: StaticPod,
  { parts, signal }: OperatorRequest<OperatorParts>,
  nodes: readonly NodeStatus[],
): Promise<ReadonlyMap<string, KubeObject | undefined>> {
  const entries = nodes.map(async ({ nodeName }) => {
    const found = await parts.api.find(resources.pods, mirrorPodKey(pod, nodeName), signal);
    return [nodeName, found] as const;
  });
  return new Map(await Promise.all(entries));
}

function failure(
  { configuration, parts }: OperatorRequest<OperatorParts>,
  missing: readonly string[],
): Condition {
  const list = missing.length > 1 ? `[${missing.join(", ")}]` : missing.join("");
  const message = `missing required resources: ${list}`;
  // The Event is reported only when resources become missing, and not again while the condition is already True.
  if (conditionStatus(configuration, degraded.type) !== "True") {
    const text = missing.join(", ");
    parts.events.report({ type: "Warning", reason: "RequiredInstallerResourcesMissing", message: text });
  }
  return { type: degraded.type, status: "True", reason: degraded.failed, message };
}
