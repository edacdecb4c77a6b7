import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, messageOf, objectAt, stringAt, valueAt } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import { stringMapAt } from "../../base/fields.ts";
import { ensureDeleted } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";

/** Result of a drain step. `blocked`: disruption budgets prevent evictions. `leaving`: evicted pods are still terminating. */
export type DrainOutcome =
  | { readonly kind: "drained" }
  | { readonly kind: "leaving"; readonly pods: number }
  | { readonly kind: "blocked"; readonly message: string };

/** Cordons or uncordons a node. Returns the updated node. */
export async function setSchedulable(
  client: ClusterClient,
  node: KubeObject,
  schedulable: boolean,
): Promise<KubeObject> {
  if ((valueAt(node, "spec", "unschedulable") === true) === !schedulable) return node;
  const { unschedulable: _, ...spec } = objectAt(node, "spec");
  return client.update(resources.nodes, {
    ...node,
    spec: schedulable ? spec : { ...spec, unschedulable: true },
  });
}

export interface DrainDeps {
  readonly client: ClusterClient;
  /** Cache with the index `node` of pods. A list would read all pods of the cluster. */
  readonly cache: Pick<Cache, "informer">;
}

export interface DrainOptions {
  /** Deletes pods even if disruption budgets prevent evictions. */
  readonly force?: boolean;
  /** Does not wait for terminating pods, because the unresponsive kubelet cannot confirm their termination. */
  readonly unreachable?: boolean;
}

/**
 * Evicts a node's pods within their disruption budgets. The caller repeats the call until the node is drained.
 *
 * DaemonSet pods and static pods remain because the DaemonSet controller or the kubelet would recreate them. Pods created after
 * the cordon also remain. Such pods tolerate the cordon taint, so their replacements could be scheduled to this node again.
 */
export async function drainNode(
  { client, cache }: DrainDeps,
  node: KubeObject,
  { force = false, unreachable = false }: DrainOptions = {},
): Promise<DrainOutcome> {
  let message: string | undefined;
  for (const pod of podsToLeave(cache, node)) {
    if (pod.metadata.deletionTimestamp !== undefined && !force) continue;
    try {
      if (force || hasEnded(pod)) await ensureDeleted(client, resources.pods, pod.metadata);
      else await client.evict(pod.metadata);
    } catch (error) {
      if (hasReason(error, "NotFound")) continue;
      if (!hasReason(error, "TooManyRequests") && !hasReason(error, "InternalError")) throw error;
      message ??= `error when evicting pods/"${pod.metadata.name}" -n "${pod.metadata.namespace}": ${messageOf(error)}`;
    }
  }
  if (message !== undefined) return { kind: "blocked", message };
  const left = podsToLeave(cache, node).filter(
    ({ metadata }) => !unreachable || metadata.deletionTimestamp === undefined,
  );
  return left.length === 0 ? { kind: "drained" } : { kind: "leaving", pods: left.length };
}

function podsToLeave(cache: DrainDeps["cache"], node: KubeObject): readonly KubeObject[] {
  const cordonedMs = cordonTimeOf(node) ?? Number.POSITIVE_INFINITY;
  return cache
    .informer(resources.pods)
    .by("node", node.metadata.name)
    .filter((pod) => !comesBack(pod) && Date.parse(pod.metadata.creationTimestamp ?? "") <= cordonedMs);
}

/**
 * Returns the time of the cordon in Unix milliseconds, rounded to seconds. `undefined` until the node life cycle controller adds
 * the taint.
 */
function cordonTimeOf(node: KubeObject): number | undefined {
  const taint = listAt(node, "spec", "taints").find(
    (each) => stringAt(each, "key") === "node.kubernetes.io/unschedulable",
  );
  const added = Date.parse(stringAt(taint, "timeAdded") ?? "");
  return Number.isNaN(added) ? undefined : added;
}

function comesBack({ metadata }: KubeObject): boolean {
  const owned =
    metadata.ownerReferences?.some(({ kind }) => kind === "DaemonSet" || kind === "Node") ?? false;
  return owned || "kubernetes.io/config.mirror" in stringMapAt(metadata, "annotations");
}

function hasEnded(pod: KubeObject): boolean {
  return ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase") ?? "");
}
