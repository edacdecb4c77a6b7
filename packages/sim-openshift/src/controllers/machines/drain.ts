import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { at, recordAt } from "../../runtime/fields.ts";
import { ensureDeleted } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";

/** Cordons a node and deletes its pods, all but those of DaemonSets, which would only come back. */
export async function drainNode(client: ClusterClient, node: KubeObject): Promise<void> {
  if (at(node, "spec", "unschedulable") !== true)
    await client.update(resources.nodes, {
      ...node,
      spec: { ...recordAt(node, "spec"), unschedulable: true },
    });
  const pods = (await client.list(resources.pods)).items.filter(
    (pod) =>
      at(pod, "spec", "nodeName") === node.metadata.name &&
      !pod.metadata.ownerReferences?.some(({ kind }) => kind === "DaemonSet"),
  );
  for (const { metadata } of pods) await ensureDeleted(client, resources.pods, metadata);
}
