import { listAt, stringAt } from "@keelson/base";
import { type EventText, timestamp } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { type NodeStatus, noFailure } from "../static-pod/node-status.ts";
import { readySince } from "../static-pod/static-pod.ts";
import { operandState } from "./operand-state.ts";
import { chooseStartNode } from "./start-node.ts";

export interface InstallView {
  readonly nodes: readonly NodeStatus[];
  /** Latest revision with status ready. */
  readonly latest: number;
  readonly namespace: string;
  /** Returns the static pod of a node. */
  readonly operandOf: (node: string) => KubeObject | undefined;
  /** Returns the pod with this name in the namespace. */
  readonly installerOf: (name: string) => KubeObject | undefined;
  readonly hasStartupMonitor: boolean;
  /**
   * Time in ms that a pod must be ready before the pod of the next node is restarted. The wait is necessary, because load
   * balancers react with a delay.
   */
  readonly minReadyMs: number;
  readonly now: Date;
}

export type InstallPlan =
  /** No action is needed until the state changes. */
  | { readonly kind: "idle"; readonly reason: string }
  | { readonly kind: "wait"; readonly afterMs: number }
  /** The node's target revision has no installer pod yet. Create the pod. */
  | { readonly kind: "install"; readonly node: NodeStatus; readonly installer: string }
  /** Write `status` as the new status of its node. At most one node's status changes in each write. */
  | {
      readonly kind: "update";
      readonly status: NodeStatus;
      readonly reason: string;
      readonly event?: EventText;
      /** Installer pod that is no longer needed. */
      readonly obsolete?: string;
    };

const installerRetry = { firstMs: 10_000, factor: 1.5, maxMs: 600_000 };
const fallbackRetry = { firstMs: 600_000, factor: 2, maxMs: 7_200_000 };

const reasons = {
  installer: "InstallerFailed",
  operand: "OperandFailed",
  fallback: "OperandFailedFallback",
} as const;

/**
 * Plans the next step of a rollout. At most one node is in transition. The rollout of the next node begins when the previous node
 * has been ready for `minReadyMs`. A ready pod is not restarted while the pod of a different node is not ready.
 */
export function planInstall(view: InstallView): InstallPlan {
  const { nodes, latest, operandOf } = view;
  if (nodes.length === 0) return { kind: "idle", reason: "there are no nodes" };
  const waitMs = untilReadyLongEnough(view);
  if (waitMs > 0) return { kind: "wait", afterMs: waitMs };
  const start = chooseStartNode(nodes, operandOf);
  const inTurn = [...nodes.slice(start.index), ...nodes.slice(0, start.index)];
  for (const [turn, node] of inTurn.entries()) {
    const before = inTurn[turn - 1];
    if (node.targetRevision !== 0) return planTransition(node, view);
    const target = before ? revisionAfter(node, before) : node.currentRevision === latest ? 0 : latest;
    if (target === 0) continue;
    const unready = otherUnready(node, view);
    if (unready !== undefined) return planUnready(unready, node, target);
    const reason = before ? `node ${node.nodeName} is the next node in the line` : start.reason;
    return beginTransition(node, target, reason);
  }
  return { kind: "idle", reason: "all nodes are where they should be" };
}

function beginTransition(node: NodeStatus, target: number, reason: string): InstallPlan {
  const message = `Updating node ${JSON.stringify(node.nodeName)} from revision ${node.currentRevision} to ${target} because ${reason}`;
  return {
    kind: "update",
    status: { ...node, targetRevision: target },
    reason,
    event: { type: "Normal", reason: "NodeTargetRevisionChanged", message },
  };
}

/**
 * Returns a node other than `node` that has no ready pod. Returns undefined if the pod of `node` is not ready either. In this
 * case, a restart of that pod does not reduce the number of ready pods.
 */
function otherUnready(node: NodeStatus, { nodes, operandOf }: InstallView): NodeStatus | undefined {
  const isReady = ({ nodeName }: NodeStatus) => readySince(operandOf(nodeName)) !== undefined;
  if (!isReady(node)) return undefined;
  return nodes.find((each) => each.nodeName !== node.nodeName && !isReady(each));
}

/**
 * Updates an unready node before `next`, the next node of the rollout. If the unready node has the revision already, or if the
 * static pod of `next` failed with this revision, waits until the unready node is ready.
 */
function planUnready(unready: NodeStatus, next: NodeStatus, target: number): InstallPlan {
  const reason = `node ${unready.nodeName} with revision ${unready.currentRevision} is not ready`;
  const isBad = next.lastFailedRevision === target && next.lastFailedReason !== reasons.installer;
  if (unready.currentRevision >= target || isBad) return { kind: "idle", reason };
  return beginTransition(unready, target, reason);
}

/**
 * Returns the revision that `before`, the previous node of the rollout, has reached. Returns 0 if `node` already has this
 * revision or failed to install it.
 */
function revisionAfter(node: NodeStatus, before: NodeStatus): number {
  const isAhead = before.targetRevision === 0 && before.currentRevision > node.currentRevision;
  return isAhead && node.lastFailedRevision !== before.currentRevision ? before.currentRevision : 0;
}

function untilReadyLongEnough({ nodes, operandOf, minReadyMs, now }: InstallView): number {
  const since = nodes.flatMap(({ nodeName }) => readySince(operandOf(nodeName)) ?? []);
  if (since.length === 0) return 0;
  const youngestMs = now.getTime() - Math.max(...since.map((time) => time.getTime()));
  // The age is negative if this clock is behind the node's clock. A negative age must not extend the wait.
  return youngestMs >= minReadyMs ? 0 : minReadyMs - Math.max(0, youngestMs);
}

function planTransition(node: NodeStatus, view: InstallView): InstallPlan {
  const { latest, installerOf, now } = view;
  const name = installerName(node);
  const installer = installerOf(name);
  if (latest > node.targetRevision) {
    const phase = stringAt(installer, "status", "phase");
    const isRunning = installer !== undefined && phase !== "Succeeded" && phase !== "Failed";
    return {
      kind: "update",
      status: { ...node, targetRevision: latest },
      reason: "new revision pending",
      ...(isRunning ? { obsolete: name } : {}),
    };
  }
  // The startup monitor has already recorded the node's new revision.
  if (node.targetRevision <= node.currentRevision)
    return { kind: "update", status: { ...node, targetRevision: 0 }, reason: "static pod is ready" };
  const retryMs = retryAtMs(node) - now.getTime();
  if (retryMs > 0) return { kind: "wait", afterMs: retryMs };
  if (!installer) {
    const unready = otherUnready(node, view);
    if (unready === undefined) return { kind: "install", node, installer: name };
    // Cancels the installation on this node. The next plan may update the unready node first.
    return {
      kind: "update",
      status: { ...node, targetRevision: 0 },
      reason: `node ${unready.nodeName} is not ready`,
    };
  }
  const phase = stringAt(installer, "status", "phase") ?? "";
  if (phase === "Failed") return installerFailed(node, installer, view);
  if (phase === "Succeeded") return planOperand(node, view);
  const message = stringAt(installer, "status", "message") ?? "";
  const progress = message === "" ? `, but in ${phase} phase` : `: ${message}`;
  return { kind: "idle", reason: `installer is not finished${progress}` };
}

/** Returns a name such as `installer-5-master-0`. The name is unique for each attempt. */
function installerName({
  nodeName,
  targetRevision,
  lastFailedRevision,
  lastFailedCount,
  lastFallbackCount,
}: NodeStatus): string {
  const attempts = targetRevision === lastFailedRevision ? lastFailedCount + lastFallbackCount : 0;
  return `installer-${targetRevision}${attempts === 0 ? "" : `-retry-${attempts}`}-${nodeName}`;
}

function retryAtMs(node: NodeStatus): number {
  const { targetRevision, lastFailedRevision, lastFailedTime, lastFailedReason } = node;
  if (lastFailedRevision !== targetRevision || lastFailedTime === undefined) return 0;
  const isFallback = lastFailedReason === reasons.fallback;
  const { firstMs, factor, maxMs } = isFallback ? fallbackRetry : installerRetry;
  const count = isFallback ? node.lastFallbackCount : node.lastFailedCount;
  const failedMs = new Date(lastFailedTime).getTime();
  return (Number.isNaN(failedMs) ? 0 : failedMs) + Math.min(firstMs * factor ** count, maxMs);
}

function installerFailed(node: NodeStatus, installer: KubeObject, { now }: InstallView): InstallPlan {
  const { namespace = "", name } = installer.metadata;
  const found = listAt(installer, "status", "containerStatuses").flatMap((status) => {
    const message = stringAt(status, "state", "terminated", "message") ?? "";
    return message === "" ? [] : [`${stringAt(status, "name")}: ${message}`];
  });
  const errors = found.length > 0 ? found : [withoutMessage(namespace, name)];
  const message = `installer errors: ${errors.join("\n")}`;
  return {
    kind: "update",
    status: {
      ...withoutOlderFailure(node),
      lastFailedRevision: node.targetRevision,
      lastFailedTime: timestamp(now),
      lastFailedReason: reasons.installer,
      lastFailedCount: withoutOlderFailure(node).lastFailedCount + 1,
      lastFailedRevisionErrors: errors,
    },
    reason: `installer pod failed: ${errors.join("\n")}`,
    event: { type: "Warning", reason: "InstallerPodFailed", message },
  };
}

/** Plans the next step from the static pod's state, after the node's installer has succeeded. */
function planOperand(node: NodeStatus, view: InstallView): InstallPlan {
  const { namespace, operandOf, hasStartupMonitor } = view;
  const { nodeName, currentRevision, targetRevision } = node;
  const pod = operandOf(nodeName);
  if (!pod) return { kind: "idle", reason: "static pod is pending" };
  const operand = operandState(pod);
  if (operand.revision !== `${targetRevision}`) {
    const found = operand.revision === "" ? "" : `, found ${operand.revision}`;
    return { kind: "idle", reason: `waiting for static pod of revision ${targetRevision}${found}` };
  }
  const at = timestamp(operand.at);
  const known = withoutOlderFailure(node);
  if (operand.state === "ready") {
    // The startup monitor on the node decides whether the revision succeeds.
    if (hasStartupMonitor) return { kind: "idle", reason: operand.reason };
    const message = `Updated node ${JSON.stringify(nodeName)} from revision ${currentRevision} to ${targetRevision} because ${operand.reason}`;
    return {
      kind: "update",
      status: { ...node, currentRevision: targetRevision, targetRevision: 0 },
      reason: operand.reason,
      event: { type: "Normal", reason: "NodeCurrentRevisionChanged", message },
    };
  }
  if (operand.state === "fallback") {
    if (known.lastFailedTime === at) return { kind: "idle", reason: operand.reason };
    const status = {
      ...known,
      lastFailedRevision: targetRevision,
      lastFailedTime: at,
      lastFailedReason: reasons.fallback,
      lastFallbackCount: known.lastFallbackCount + 1,
      lastFailedRevisionErrors: operand.errors,
    };
    return { kind: "update", status, reason: operand.reason };
  }
  if (operand.state === "pending") return { kind: "idle", reason: "static pod is pending" };
  const found = operand.errors.length > 0 ? operand.errors : [withoutMessage(namespace, pod.metadata.name)];
  const failed = { ...known, lastFailedRevision: targetRevision, lastFailedReason: reasons.operand };
  const reason = `operand pod failed: ${found.join("\n")}`;
  if (hasStartupMonitor) {
    const errors = [...found, "falling back to last-known-good revision, might take up to 5 min"];
    const isKnown =
      known.lastFailedReason === reasons.operand && known.lastFailedRevisionErrors.join() === errors.join();
    if (isKnown) return { kind: "idle", reason };
    return { kind: "update", status: { ...failed, lastFailedRevisionErrors: errors }, reason };
  }
  const isCounted = known.lastFailedTime === at;
  return {
    kind: "update",
    status: {
      ...failed,
      targetRevision: 0,
      lastFailedRevisionErrors: found,
      lastFailedTime: at,
      lastFailedCount: known.lastFailedCount + (isCounted ? 0 : 1),
    },
    reason,
  };
}

/** Returns the status without a failure that an earlier target revision caused. */
function withoutOlderFailure(node: NodeStatus): NodeStatus {
  if (node.targetRevision === node.lastFailedRevision) return node;
  const { lastFailedTime: _, ...rest } = node;
  return { ...rest, ...noFailure };
}

function withoutMessage(namespace: string, name: string): string {
  return `no detailed termination message, see \`oc get -oyaml -n ${JSON.stringify(namespace)} pods ${JSON.stringify(name)}\``;
}
