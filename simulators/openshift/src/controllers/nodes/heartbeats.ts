import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { type Logger, listAt, messageOf, objectAt, stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import { conditionOf } from "../../base/conditions.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { rebootUntil } from "./boot.ts";
import { renewLease } from "./lease.ts";

const { nodes: resource } = resources;

/** Interval in milliseconds between two renewals of a node's Lease (K/kubernetes pkg/kubelet/nodelease). */
const leaseIntervalMs = 10_000;
/**
 * Interval in milliseconds after which a kubelet reports an unchanged node status. Each node's interval is up to 50 % shorter or
 * longer (K/kubernetes `nodeStatusReportFrequency`).
 */
const statusIntervalMs = 300_000;
/** Maximum number of nodes that send heartbeats at the same time. */
const nodesPerGroup = 10;

/**
 * Sends the heartbeats of all kubelets in a cluster until the result is disposed. A heartbeat renews the node's Lease in
 * `kube-node-lease` and the heartbeat times of its conditions. One timer serves all nodes. The nodes send in groups, because the
 * writes of a group share one commit.
 */
export function startHeartbeats(context: WorkloadContext): AsyncDisposable {
  const stop = new AbortController();
  const running = sendHeartbeats(context, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function sendHeartbeats(context: WorkloadContext, signal: AbortSignal): Promise<void> {
  const { clock } = context;
  let dueMs = clock.monotonicMs();
  for (let group = 0; !signal.aborted; group++) {
    const nodes = context.informer(resource).list();
    const groups = Math.max(1, Math.ceil(nodes.length / nodesPerGroup));
    const intervalMs = leaseIntervalMs / groups;
    // The interval starts at the due time of the previous group, so that the delays of late timers do not add up.
    const nowMs = clock.monotonicMs();
    dueMs = Math.max(dueMs + intervalMs, nowMs);
    await clock.sleep(dueMs - nowMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    const first = (group % groups) * nodesPerGroup;
    await Promise.all(nodes.slice(first, first + nodesPerGroup).map((node) => sendHeartbeat(context, node)));
  }
}

/** Sends the heartbeats of a node, unless its kubelet is stopped. Errors are only logged, because the next heartbeat follows. */
async function sendHeartbeat(context: WorkloadContext, { metadata }: KubeObject): Promise<void> {
  const now = context.clock.now();
  // The node can have changed while this function was waiting.
  const node = context.informer(resource).get({ name: metadata.name });
  if (!node || !isAlive(node, now)) return;
  try {
    await renewLease(context, node);
    if (isStatusDue(node, now)) await context.updateStatus(resource, withHeartbeat(node, now));
  } catch (error) {
    // The node was deleted, or its status was written concurrently.
    if (!hasReason(error, "NotFound") && !hasReason(error, "Conflict"))
      report(context.logger, metadata.name, error);
  }
}

function report(logger: Logger, node: string, error: unknown): void {
  logger.warn({ node, error: messageOf(error) }, "heartbeat of a node failed");
}

/** True if the kubelet of a node runs. The kubelet of a silent or rebooting node does not run. */
function isAlive(node: KubeObject, now: Date): boolean {
  const ready = conditionStatus(node, "Ready");
  if (ready === undefined || ready === "Unknown") return false;
  return (rebootUntil(node)?.at.getTime() ?? 0) <= now.getTime();
}

function isStatusDue(node: KubeObject, now: Date): boolean {
  const last = Date.parse(heartbeatOf(node) ?? "");
  if (Number.isNaN(last)) return true;
  return now.getTime() - last >= statusIntervalMs * (0.5 + shareOf(node.metadata.name));
}

function heartbeatOf(node: KubeObject): string | undefined {
  return stringAt(conditionOf(node, "Ready"), "lastHeartbeatTime");
}

/** Returns a constant number between 0 and 1 for a node name. It distributes the status reports of nodes with equal start times. */
function shareOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt16BE() / 0x1_0000;
}

function withHeartbeat(node: KubeObject, now: Date): KubeObject {
  const conditions = listAt(node, "status", "conditions").map((condition) => ({
    ...objectAt(condition),
    lastHeartbeatTime: timestamp(now),
  }));
  return { ...node, status: { ...objectAt(node, "status"), conditions } };
}
