import { stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";
import { unexpectedConditions } from "../conditions.ts";
import { factsOfNodes } from "../machine-facts.ts";

const expected = { DiskPressure: "False", MemoryPressure: "False", PIDPressure: "False", Ready: "True" };
/** Roles of nodes in order of precedence. A node's role is the first of these roles for which the node has a label. */
const roles = ["master", "worker", "infra"] as const;

export const nodes = defineCollector({
  name: "emitNodeConditions",
  metrics: {
    "node.conditions": {
      help: "1 for each condition of a node with an unexpected status.",
      dimensions: ["nodeName", "status", "type", "spotInstance", "role", "machineset"],
    },
    "node.kubelet.version": {
      help: "1 for each node. The dimension kubeletVersion has the version of its kubelet.",
      dimensions: ["nodeName", "role", "kubeletVersion"],
    },
    "node.count": { help: "Nodes by role.", dimensions: ["role"] },
  },
  async collect({ view, emit, explain, logger }) {
    const [all, machines] = await Promise.all([view.list(resources.nodes), view.machines()]);
    const factsOf = factsOfNodes(machines);
    const withoutRole: string[] = [];
    const counts = new Map<string, number>(roles.map((role) => [role, 0]));
    for (const node of all) {
      const nodeName = node.metadata.name;
      const { isSpot, role, machineSet: machineset } = factsOf(node);
      for (const { type, status, message } of unexpectedConditions(node, expected)) {
        const values = { nodeName, status, type, spotInstance: `${isSpot}`, role, machineset };
        emit("node.conditions", 1, values);
        explain({ metric: "node.conditions", ...values, message });
      }
      const kubeletVersion = stringAt(node, "status", "nodeInfo", "kubeletVersion") ?? "";
      emit("node.kubelet.version", 1, { nodeName, role, kubeletVersion });
      const counted = nodeRole(node);
      if (counted === "unknown") withoutRole.push(nodeName);
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
    }
    for (const [role, count] of counts) emit("node.count", count, { role });
    if (withoutRole.length > 0)
      logger.warn(
        { nodeNames: withoutRole.slice(0, 10), nodeCount: withoutRole.length },
        "nodes have none of the known roles",
      );
  },
});

function nodeRole({ metadata: { labels = {} } }: KubeObject): string {
  return roles.find((role) => `node-role.kubernetes.io/${role}` in labels) ?? "unknown";
}
