import { type Controller, done, named, type Result, watchFor, watchMapped } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { monitoringNamespace, monitoringStatefulSets } from "../../monitoring/monitoring-pods.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const key: ObjectKey = { name: "monitoring" };

/** Deploys Prometheus and Alertmanager once the monitoring operator is available. */
export const monitoring: Controller<Cluster> = {
  name: "monitoring",
  watches: [
    watchFor(resources.clusterOperators, key, { where: named("monitoring") }),
    // Recreates a deleted StatefulSet.
    watchMapped(
      resources.statefulSets,
      ({ metadata }) => (metadata.namespace === monitoringNamespace ? [key] : []),
      {
        where: ({ type }) => type === "deleted",
      },
    ),
  ],
  reconcile: reconcileMonitoring,
};

async function reconcileMonitoring(_key: ObjectKey, { client, settings }: Cluster): Promise<Result> {
  const operator = await client.find(resources.clusterOperators, { name: "monitoring" });
  if (conditionStatus(operator, "Available") !== "True") return done;
  for (const wanted of monitoringStatefulSets(settings.openShiftVersion))
    await ensureObject(client, resources.statefulSets, wanted);
  return done;
}
