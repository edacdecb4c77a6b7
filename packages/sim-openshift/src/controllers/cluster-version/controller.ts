import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, settled } from "../../runtime/controller.ts";
import { writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { planClusterVersion } from "./plan.ts";

const key = ["version"];

/** The cluster version operator: what version is wanted, and how far the cluster operators are with it. */
export const clusterVersion: Controller = {
  name: "cluster-version",
  watches: [
    { on: "objects", resource: resources.clusterVersions, keys: () => key },
    { on: "objects", resource: resources.clusterOperators, keys: () => key },
  ],
  reconcile: reconcileClusterVersion,
};

async function reconcileClusterVersion(name: string, { client, settings, clock }: Cluster): Promise<Outcome> {
  const object = await client.find(resources.clusterVersions, { name });
  if (!object) return settled;
  const operators = (await client.list(resources.clusterOperators)).items;
  const status = planClusterVersion({
    clusterVersion: object,
    operators,
    installed: settings.openShiftVersion,
    now: clock.now(),
  });
  await writeStatus(client, resources.clusterVersions, object, status);
  return settled;
}
