import { listAt, stringAt, valueAt } from "@keelson/base";
import { type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
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

/** The cluster's nodes. */
export async function readNodes(kube: KubeClient, signal: AbortSignal): Promise<Nodes> {
  const { items } = await kube.list(resources.nodes, { fields }, signal);
  return { nodes: items.map(nodeView) };
}

function nodeView(node: KubeObject): NodeView {
  const { name = "", labels = {}, annotations = {} } = node.metadata;
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
    labels: { ...labels },
    annotations: { ...annotations },
  };
}

function resourcesAt(node: KubeObject, member: "capacity" | "allocatable"): NodeResources {
  const quantity = (name: string) => stringAt(node, "status", member, name) ?? "";
  return {
    cpu: quantity("cpu"),
    // The original shows what a node has for volumes of pods.
    storageVolume: quantity("ephemeral-storage"),
    memory: quantity("memory"),
    pods: quantity("pods"),
  };
}
