import { stringAt } from "@keelson/base";
import type { Cache, Indexer } from "@keelson/controller";
import { conditionStatus, type KubeObject } from "@keelson/kube";
import { resources } from "../base/resources.ts";

const { controllerRevisions, jobs, pods, replicaSets } = resources;

/**
 * Adds indexes to the cache. The index `controller` finds objects by the UID of their controller, and `node` finds pods by node
 * name (empty if unscheduled). The index `orphan` finds pods without a controller by namespace. The index `unschedulable` contains
 * the unscheduled pods that no node fits, under the empty value.
 */
export function addWorkloadIndexes(cache: Cache): void {
  for (const resource of [controllerRevisions, jobs, pods, replicaSets])
    cache.informer(resource).addIndex("controller", controllerOf);
  cache.informer(pods).addIndex("unschedulable", unschedulable);
  cache.informer(pods).addIndex("node", (pod) => [stringAt(pod, "spec", "nodeName") ?? ""]);
  cache.informer(pods).addIndex("orphan", orphanOf);
}

const controllerOf: Indexer<KubeObject> = ({ metadata }) =>
  metadata.ownerReferences?.filter(({ controller }) => controller).map(({ uid }) => uid) ?? [];

const unschedulable: Indexer<KubeObject> = (pod) =>
  !stringAt(pod, "spec", "nodeName") && conditionStatus(pod, "PodScheduled") === "False" ? [""] : [];

const orphanOf: Indexer<KubeObject> = (pod) =>
  controllerOf(pod).length === 0 ? [pod.metadata.namespace ?? ""] : [];
