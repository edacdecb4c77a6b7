import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";

/** Snapshot of the cluster state that determines alerts and metrics. */
export interface ClusterState {
  /** Creation time of the cluster in Unix milliseconds. */
  readonly createdMs: number;
  readonly nodes: readonly KubeObject[];
  readonly clusterOperators: readonly KubeObject[];
  readonly machines: readonly KubeObject[];
  readonly ingressControllers: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
}

export async function readClusterState(client: ClusterClient): Promise<ClusterState> {
  const [system, nodes, clusterOperators, machines, ingressControllers, pods] = await Promise.all([
    client.find(resources.namespaces, { name: "kube-system" }),
    client.list(resources.nodes),
    client.list(resources.clusterOperators),
    client.list(resources.machines),
    client.list(resources.ingressControllers),
    client.list(resources.pods),
  ]);
  return {
    createdMs: Date.parse(system?.metadata.creationTimestamp ?? "") || 0,
    nodes: nodes.items,
    clusterOperators: clusterOperators.items,
    machines: machines.items,
    ingressControllers: ingressControllers.items,
    pods: pods.items,
  };
}

export interface ObservedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  /** Time of the last status change in Unix milliseconds. */
  readonly sinceMs: number;
}

export function conditionsOf(object: KubeObject): readonly ObservedCondition[] {
  return listAt(object, "status", "conditions").map((each) => ({
    type: stringAt(each, "type") ?? "",
    status: stringAt(each, "status") ?? "Unknown",
    reason: stringAt(each, "reason") ?? "",
    sinceMs: Date.parse(stringAt(each, "lastTransitionTime") ?? "") || 0,
  }));
}

export function isMaster({ metadata }: KubeObject): boolean {
  return "node-role.kubernetes.io/master" in (metadata.labels ?? {});
}
