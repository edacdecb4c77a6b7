import { stringAt } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { type ObservedObjects, replacementMs } from "@keelson/operator-kit";
import { clusterInput, singleton } from "./inputs.ts";

export interface Infrastructure {
  /** True if the cluster has only one master. In such a cluster, API requests fail while the only API server restarts. */
  readonly isSingleReplica: boolean;
  readonly platform: string | undefined;
}

export const infrastructureInput = clusterInput(resources.infrastructures);

/**
 * Returns the cluster's topology and platform. Returns `undefined` if the object is missing. In this case, observers keep the
 * previous values.
 */
export function findInfrastructure(objects: ObservedObjects): Infrastructure | undefined {
  const infrastructure = objects.find(resources.infrastructures, singleton);
  return (
    infrastructure && {
      isSingleReplica: stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica",
      platform: stringAt(infrastructure, "spec", "platformSpec", "type"),
    }
  );
}

/** True if the cluster has a single master, according to the controller's cache. */
export function isSingleMaster(cache: Cache): boolean {
  const infrastructure = cache.known(resources.infrastructures, singleton)?.object;
  return stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica";
}

/**
 * Returns the time in ms that a static pod may be missing in addition to its grace period. With a single API server the time is
 * longer, because the kubelet depends on this API server.
 */
export function missingPodToleranceMs(cache: Cache): number {
  return isSingleMaster(cache) ? replacementMs.single : replacementMs.several;
}
