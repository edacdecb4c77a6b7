import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, parseQuantity, resources } from "@keelson/kube";
import type { NodeResources, Nodes, NodeView } from "@keelson/portal-api";

const quantities = { cpu: true, "ephemeral-storage": true, memory: true, pods: true };

const fields = objectFields({
  metadata: { creationTimestamp: true, labels: true, annotations: true },
  spec: {
    unschedulable: true,
    taints: { key: true, value: true, effect: true, timeAdded: true },
  },
  status: {
    capacity: quantities,
    allocatable: quantities,
    nodeInfo: { kubeletVersion: true, osImage: true },
    addresses: { type: true, address: true },
    volumesAttached: { name: true, devicePath: true },
    conditions: {
      type: true,
      status: true,
      lastHeartbeatTime: true,
      lastTransitionTime: true,
      reason: true,
      message: true,
    },
  },
});

const usageFields = objectFields({ usage: { cpu: true, memory: true } });

/** Reads the cluster's nodes. The result includes their usage if the cluster provides it. */
export async function readNodes(kube: KubeClient, signal: AbortSignal): Promise<Nodes> {
  const [{ items }, usage] = await Promise.all([
    kube.list(resources.nodes, { fields }, signal),
    readUsage(kube, signal),
  ]);
  return { nodes: items.map((node) => ({ ...nodeView(node), ...usageView(node, usage) })) };
}

/** Reads the usage of nodes. A failure is not an error, because the page shows the nodes without their usage. */
async function readUsage(kube: KubeClient, signal: AbortSignal): Promise<ReadonlyMap<string, KubeObject>> {
  try {
    const { items } = await kube.list(resources.nodeMetrics, { fields: usageFields }, signal);
    return new Map(items.map((item) => [item.metadata.name, item]));
  } catch {
    signal.throwIfAborted();
    return new Map();
  }
}

function usageView(node: KubeObject, usage: ReadonlyMap<string, KubeObject>): Pick<NodeView, "usage"> {
  const used = usage.get(node.metadata.name);
  const percent = (name: string) => {
    const amount = stringAt(used, "usage", name);
    const share = parseQuantity(amount) / parseQuantity(stringAt(node, "status", "capacity", name));
    return amount !== undefined && Number.isFinite(share) ? Math.max(0, Math.round(share * 100)) : undefined;
  };
  const [cpuPercent, memoryPercent] = [percent("cpu"), percent("memory")];
  if (cpuPercent === undefined || memoryPercent === undefined) return {};
  return { usage: { cpuPercent, memoryPercent } };
}

const rolePrefix = "node-role.kubernetes.io/";

function nodeView(node: KubeObject): NodeView {
  const { name } = node.metadata;
  const labels = stringsAt(node, "labels");
  return {
    name,
    createdTime: stringAt(node, "metadata", "creationTimestamp") ?? "",
    unschedulable: valueAt(node, "spec", "unschedulable") === true,
    instanceType: labels["node.kubernetes.io/instance-type"] ?? "",
    capacity: resourcesAt(node, "capacity"),
    allocatable: resourcesAt(node, "allocatable"),
    volumes: listAt(node, "status", "volumesAttached").map((volume) => ({
      name: stringAt(volume, "name") ?? "",
      path: stringAt(volume, "devicePath") ?? "",
    })),
    taints: listAt(node, "spec", "taints").map((taint) => ({
      key: stringAt(taint, "key") ?? "",
      value: stringAt(taint, "value") ?? "",
      effect: stringAt(taint, "effect") ?? "",
      timeAdded: stringAt(taint, "timeAdded") ?? "",
    })),
    conditions: listAt(node, "status", "conditions").map((condition) => ({
      type: stringAt(condition, "type") ?? "",
      status: stringAt(condition, "status") ?? "",
      lastHeartbeatTime: stringAt(condition, "lastHeartbeatTime") ?? "",
      lastTransitionTime: stringAt(condition, "lastTransitionTime") ?? "",
      reason: stringAt(condition, "reason") ?? "",
      message: stringAt(condition, "message") ?? "",
    })),
    labels,
    annotations: stringsAt(node, "annotations"),
    roles: Object.keys(labels)
      .filter((label) => label.startsWith(rolePrefix))
      .map((label) => label.slice(rolePrefix.length)),
    zone: labels["topology.kubernetes.io/zone"] ?? "",
    kubeletVersion: stringAt(node, "status", "nodeInfo", "kubeletVersion") ?? "",
    osImage: stringAt(node, "status", "nodeInfo", "osImage") ?? "",
    internalIp: addressOf(node),
  };
}

/** Returns the labels or annotations with string values. All other values are omitted, because a cluster may return any type. */
function stringsAt(node: KubeObject, member: "labels" | "annotations"): Record<string, string> {
  const entries = Object.entries(objectAt(node, "metadata", member));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function addressOf(node: KubeObject): string {
  const addresses = listAt(node, "status", "addresses");
  const internal = addresses.find((address) => stringAt(address, "type") === "InternalIP");
  return stringAt(internal, "address") ?? "";
}

function resourcesAt(node: KubeObject, member: "capacity" | "allocatable"): NodeResources {
  const quantity = (name: string) => stringAt(node, "status", member, name) ?? "";
  return {
    cpu: quantity("cpu"),
    // This field contains the ephemeral storage, as in the Azure/ARO-RP portal.
    storageVolume: quantity("ephemeral-storage"),
    memory: quantity("memory"),
    pods: quantity("pods"),
  };
}
