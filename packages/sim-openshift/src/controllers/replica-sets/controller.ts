import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { ensureDeleted, writeStatus } from "../../runtime/objects.ts";
import { controllerKeys } from "../../runtime/ownership.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { podFromTemplate } from "../pods/template.ts";
import { planReplicaSet } from "./plan.ts";

/** As many pods as `spec.replicas` says. */
export const replicaSets: Controller = {
  name: "replica-sets",
  watches: [
    { on: "objects", resource: resources.replicaSets, keys: (replicaSet) => [keyOf(replicaSet)] },
    { on: "objects", resource: resources.pods, keys: (pod) => controllerKeys(pod, "ReplicaSet") },
  ],
  reconcile: reconcileReplicaSet,
};

async function reconcileReplicaSet(key: string, { client }: Cluster): Promise<Outcome> {
  const replicaSet = await client.find(resources.replicaSets, parseKey(key));
  if (!replicaSet) return settled;
  const { namespace } = replicaSet.metadata;
  const plan = planReplicaSet(replicaSet, (await client.list(resources.pods, { namespace })).items);
  for (let missing = plan.create; missing > 0; missing--)
    await client.create(resources.pods, podFromTemplate(replicaSet));
  for (const name of plan.delete) await ensureDeleted(client, resources.pods, { namespace, name });
  await writeStatus(client, resources.replicaSets, replicaSet, plan.status);
  return settled;
}
