import type { Cluster } from "../../runtime/cluster.ts";
import { settled } from "../../runtime/controller.ts";
import { recordAt } from "../../runtime/fields.ts";
import { ensureDeleted, writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { nodeObject, nodeStatus } from "./node-object.ts";
import { planNode } from "./plan.ts";
import { nodeTaints } from "./taints.ts";

export async function reconcileNode(name: string, cluster: Cluster): Promise<Outcome> {
  const { client, settings, clock, timings } = cluster;
  const node = await client.find(resources.nodes, { name });
  const change = planNode({ settings, node, timings, vm: cluster.machines.find(name), now: clock.now() });
  switch (change.kind) {
    case "none":
      return settled;
    case "wait":
      return { requeueAfterMs: change.ms };
    case "remove":
      await ensureDeleted(client, resources.nodes, { name });
      return settled;
    case "register":
      // The node's own creation wakes this controller again, which then reports its status.
      await client.create(resources.nodes, nodeObject(settings, change.vm));
      return settled;
    case "report": {
      const { kubelet, vm, nextMs } = change;
      await writeStatus(
        client,
        resources.nodes,
        change.node,
        nodeStatus(change.node, settings, vm, kubelet, clock.now()),
      );
      await writeTaints(
        cluster,
        name,
        kubelet === "silent" ? "Unknown" : kubelet === "ready" ? "True" : "False",
      );
      return nextMs === undefined ? settled : { requeueAfterMs: nextMs };
    }
  }
}

async function writeTaints(
  cluster: Cluster,
  name: string,
  ready: "True" | "False" | "Unknown",
): Promise<void> {
  const node = await cluster.client.get(resources.nodes, { name });
  const taints = nodeTaints(node, ready);
  if (taints)
    await cluster.client.update(resources.nodes, { ...node, spec: { ...recordAt(node, "spec"), taints } });
}
