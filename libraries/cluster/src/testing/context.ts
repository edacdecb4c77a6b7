import { randomUUID } from "node:crypto";
import { type Clock, silentLogger, systemClock } from "@keelson/base";
import type { OpenShiftCluster, RoleSetProperties } from "@keelson/model";
import { testRoleSets } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { signal } from "./store.ts";
import type { World } from "./world.ts";

/** Returns a step context with the cluster in memory. */
export function contextOf(
  world: World,
  cluster: OpenShiftCluster,
  clock: Clock = systemClock,
  roleSets: readonly RoleSetProperties[] = testRoleSets,
): ClusterContext {
  let current = cluster;
  const { environment, subscriptionId } = world;
  const connection = { beforeRequest: () => {}, logger: silentLogger };
  return {
    step: "test",
    attempt: 1,
    signal,
    logger: silentLogger,
    report: () => {},
    warn: () => {},
    clock,
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
    connection,
    roleSets: async () => roleSets,
    release: async () => ({
      openShiftPullspec: "registry.example/ocp-release:4.19.24-x86_64",
      installerPullspec: "registry.example/installer:4.19",
    }),
    kube: () => {
      throw new Error("there is no API server");
    },
    gateway: { ensure: async () => {}, retire: async () => {}, isForgotten: async () => true },
    billing: { ensure: async () => {}, markDeleted: async () => {} },
    environment,
  };
}
