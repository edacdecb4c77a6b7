import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { ensureDeleted, writeStatus } from "../../runtime/objects.ts";
import { controllerKeys } from "../../runtime/ownership.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planDaemonSet, revisionLabel } from "./plan.ts";

/** One pod on each node that fits. */
export const daemonSets: Controller = {
  name: "daemon-sets",
  watches: [
    { on: "objects", resource: resources.daemonSets, keys: (daemonSet) => [keyOf(daemonSet)] },
    { on: "objects", resource: resources.pods, keys: (pod) => controllerKeys(pod, "DaemonSet") },
    {
      on: "objects",
      resource: resources.nodes,
      keys: async (_node, { client }: Cluster) => (await client.list(resources.daemonSets)).items.map(keyOf),
    },
  ],
  reconcile: reconcileDaemonSet,
};

async function reconcileDaemonSet(key: string, { client }: Cluster): Promise<Outcome> {
  const daemonSet = await client.find(resources.daemonSets, parseKey(key));
  if (!daemonSet || daemonSet.metadata.deletionTimestamp !== undefined) return settled;
  const { namespace } = daemonSet.metadata;
  const pods = (await client.list(resources.pods, { namespace })).items;
  const plan = planDaemonSet(daemonSet, pods, (await client.list(resources.nodes)).items);
  for (const nodeName of plan.create)
    await client.create(
      resources.pods,
      podFromTemplate(daemonSet, { [revisionLabel]: plan.hash }, { nodeName }),
    );
  for (const name of plan.delete) await ensureDeleted(client, resources.pods, { namespace, name });
  await writeStatus(client, resources.daemonSets, daemonSet, plan.status);
  return settled;
}
