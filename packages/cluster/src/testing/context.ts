import { randomUUID } from "node:crypto";
import { silentLogger, systemClock } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { signal } from "./store.ts";
import type { World } from "./world.ts";

/** What one step of a cluster works with, the cluster kept in memory. */
export function contextOf(world: World, cluster: OpenShiftCluster): ClusterContext {
  let current = cluster;
  const { environment, subscriptionId } = world;
  const connection = { beforeRequest: () => {}, logger: silentLogger };
  return {
    step: "test",
    attempt: 1,
    signal,
    logger: silentLogger,
    clock: systemClock,
    documentId: randomUUID(),
    get cluster() {
      return current;
    },
    async update(change) {
      current = change(current);
      return current;
    },
    subscription: {
      id: subscriptionId,
      partitionKey: subscriptionId,
      deleting: false,
      subscription: { state: "Registered" },
    },
    azure: environment.connectAzure(subscriptionId, connection),
    serviceAzure: environment.connectAzure(environment.subscriptionId, connection),
    azureAs: (credential) => environment.connectAzureAs(credential, subscriptionId, connection),
    kube: () => {
      throw new Error("there is no API server");
    },
    environment,
  };
}
