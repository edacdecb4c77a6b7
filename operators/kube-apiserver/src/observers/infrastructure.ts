import { stringAt } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { type ObservedObjects, replacementMs } from "@keelson/operator-kit";
import { clusterInput, singleton } from "./inputs.ts";

export interface Infrastructure {
  /** True with one master, without failover while its API server restarts. */
  readonly isSingleReplica: boolean;
  readonly platform: string | undefined;
}

export const infrastructureInput = clusterInput(resources.infrastructures);

/** `undefined` if the object is missing. Observers then keep the previous values. */
export function findInfrastructure(objects: ObservedObjects): Infrastructure | undefined {
  const infrastructure = objects.find(resources.infrastructures, singleton);
  return (
    infrastructure && {
      isSingleReplica: stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica",
      platform: stringAt(infrastructure, "spec", "platformSpec", "type"),
    }
  );
}

/** Topology according to a controller's cache. */
export function isSingleMaster(cache: Cache): boolean {
  const infrastructure = cache.known(resources.infrastructures, singleton)?.object;
  return stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica";
}

/**
 * Duration for which a static pod may be missing beyond its grace period. Longer for a single API server, on
 * which its kubelet depends.
 */
export function missingPodToleranceMs(cache: Cache): number {
  return isSingleMaster(cache) ? replacementMs.single : replacementMs.several;
}
