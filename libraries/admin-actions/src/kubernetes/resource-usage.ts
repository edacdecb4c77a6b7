import { CloudError } from "@keelson/arm";
import { listAt, stringAt } from "@keelson/base";
import { type KubeObject, objectFields, parseQuantity, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";

/** Resource usage. Percentages refer to the node's capacity and have two decimals. */
interface Usage {
  readonly cpuUsage: string;
  readonly memoryUsage: string;
  readonly cpuPercentage: number;
  readonly memoryPercentage: number;
}

export interface PodUsage extends Usage {
  readonly namespace: string;
  readonly podName: string;
  readonly nodeName: string;
}

export interface NodeUsage extends Usage {
  readonly nodeName: string;
}

const nodeFields = objectFields({ status: { capacity: { cpu: true, memory: true } } });

interface Amounts {
  readonly cores: number;
  readonly bytes: number;
}

/**
 * Returns the resource usage of the platform's pods, sorted by memory, largest first. Idle pods are skipped.
 * @throws CloudError InvalidParameter; KubeError of the cluster
 */
export async function topPods(
  { kube, signal }: ActionContext,
  { allNamespaces }: { readonly allNamespaces: boolean },
): Promise<readonly PodUsage[]> {
  if (!allNamespaces) {
    throw new CloudError(
      "InvalidParameter",
      "Pods are listed of all namespaces: leave out 'allNamespaces' or set it to 'true'.",
      { target: "allNamespaces" },
    );
  }
  const client = kube();
  const [metrics, pods, nodes] = await Promise.all([
    client.list(resources.podMetrics, { fields: objectFields({ containers: { usage: true } }) }, signal),
    client.list(resources.pods, { fields: objectFields({ spec: { nodeName: true } }) }, signal),
    client.list(resources.nodes, { fields: nodeFields }, signal),
  ]);
  const nodeOf = new Map(pods.items.map((pod) => [keyOf(pod), stringAt(pod, "spec", "nodeName") ?? ""]));
  const capacities = new Map(nodes.items.map((node) => [node.metadata.name, capacityOf(node)]));
  return metrics.items
    .filter(({ metadata }) => metadata.namespace?.startsWith("openshift-"))
    .map((item) => ({ item, used: sumOf(listAt(item, "containers")) }))
    .filter(({ used }) => Math.round(used.cores * 1000) > 0 || used.bytes > 0)
    .map(({ item, used }): PodUsage => {
      const nodeName = nodeOf.get(keyOf(item)) ?? "";
      return {
        namespace: item.metadata.namespace ?? "",
        podName: item.metadata.name,
        nodeName,
        cpuUsage: `${Math.ceil(used.cores * 1000)}m`,
        memoryUsage: `${Math.floor(used.bytes / 1024)}Ki`,
        ...percentages(used, capacities.get(nodeName)),
      };
    })
    .sort((a, b) => b.memoryPercentage - a.memoryPercentage);
}

/**
 * Returns the resource usage of the nodes, sorted by CPU percentage, highest first.
 * @throws KubeError of the cluster
 */
export async function topNodes({ kube, signal }: ActionContext): Promise<readonly NodeUsage[]> {
  const client = kube();
  const [metrics, nodes] = await Promise.all([
    client.list(resources.nodeMetrics, { fields: objectFields({ usage: true }) }, signal),
    client.list(resources.nodes, { fields: nodeFields }, signal),
  ]);
  const capacities = new Map(nodes.items.map((node) => [node.metadata.name, capacityOf(node)]));
  return metrics.items
    .map((item): NodeUsage => {
      const usage = { usage: item.usage };
      return {
        nodeName: item.metadata.name,
        cpuUsage: stringAt(usage, "usage", "cpu") ?? "0",
        memoryUsage: stringAt(usage, "usage", "memory") ?? "0",
        ...percentages(sumOf([usage]), capacities.get(item.metadata.name)),
      };
    })
    .sort((a, b) => b.cpuPercentage - a.cpuPercentage);
}

function keyOf({ metadata: { namespace = "", name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

function capacityOf(node: KubeObject): Amounts {
  return {
    cores: parseQuantity(stringAt(node, "status", "capacity", "cpu")),
    bytes: parseQuantity(stringAt(node, "status", "capacity", "memory")),
  };
}

function sumOf(parts: readonly unknown[]): Amounts {
  const sum = (name: string) =>
    parts.reduce<number>((total, part) => total + parseQuantity(stringAt(part, "usage", name)), 0);
  return { cores: sum("cpu"), bytes: sum("memory") };
}

/** Returns the usage in percent of the capacity. 0 if the node does not exist. */
function percentages(used: Amounts, capacity: Amounts | undefined) {
  const share = (part: number, whole = 0) => (whole > 0 ? Math.round((part / whole) * 10_000) / 100 : 0);
  return {
    cpuPercentage: share(used.cores, capacity?.cores),
    memoryPercentage: share(used.bytes, capacity?.bytes),
  };
}
