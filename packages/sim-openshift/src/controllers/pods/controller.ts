import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { recordAt, textAt } from "../../runtime/fields.ts";
import { ensureDeleted, writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { planPod } from "./plan.ts";
import { lostStatus, runningStatus, unschedulableStatus } from "./status.ts";

/** The scheduler, and the kubelets' part in a pod's life. Images are not run: containers are ready at once. */
export const pods: Controller = {
  name: "pods",
  watches: [
    { on: "objects", resource: resources.pods, keys: (pod) => [keyOf(pod)] },
    { on: "objects", resource: resources.nodes, keys: podsConcerned },
  ],
  reconcile: reconcilePod,
};

/** The pods of a node, and those that wait for any node. */
async function podsConcerned({ metadata }: KubeObject, { client }: Cluster): Promise<readonly string[]> {
  const all = (await client.list(resources.pods)).items;
  return all
    .filter((pod) => [metadata.name, undefined, ""].includes(textAt(pod, "spec", "nodeName")))
    .map(keyOf);
}

async function reconcilePod(key: string, { client, clock }: Cluster): Promise<Outcome> {
  const pod = await client.find(resources.pods, parseKey(key));
  if (!pod) return settled;
  const nodes = (await client.list(resources.nodes)).items;
  const others = (await client.list(resources.pods)).items;
  const change = planPod({ pod, nodes, pods: others });
  const now = clock.now();
  switch (change.kind) {
    case "none":
      break;
    case "bind": {
      const spec = { ...recordAt(pod, "spec"), nodeName: change.node.metadata.name };
      await client.update(resources.pods, { ...pod, spec });
      break;
    }
    case "unschedulable":
      await writeStatus(client, resources.pods, pod, unschedulableStatus(pod, nodes.length, now));
      break;
    case "start":
      await writeStatus(client, resources.pods, pod, runningStatus(pod, change.node, others, now));
      break;
    case "lose":
      await writeStatus(client, resources.pods, pod, lostStatus(pod, now));
      break;
    case "remove":
      await ensureDeleted(client, resources.pods, parseKey(key));
      break;
  }
  return settled;
}
