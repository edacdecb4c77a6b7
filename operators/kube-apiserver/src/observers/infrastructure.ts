import { stringAt } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { type ObservedObjects, replacementMs } from "@keelson/operator-kit";
import { clusterInput, singleton } from "./inputs.ts";

export interface Infrastructure {
  /** One master: nothing takes over while its API server restarts. */
  readonly isSingleReplica: boolean;
  readonly platform: string | undefined;
}

export const infrastructureInput = clusterInput(resources.infrastructures);

/** Undefined while the object is not there: what was observed of it before stays. */
export function findInfrastructure(objects: ObservedObjects): Infrastructure | undefined {
  const infrastructure = objects.find(resources.infrastructures, singleton);
  return (
    infrastructure && {
      isSingleReplica: stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica",
      platform: stringAt(infrastructure, "spec", "platformSpec", "type"),
    }
  );
}

/** As the cache of a controller has it. */
export function isSingleMaster(cache: Cache): boolean {
  const infrastructure = cache.known(resources.infrastructures, singleton)?.object;
  return stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica";
}

/** How long a static pod may be missing beyond its grace period: the only API server takes its own kubelet with it. */
export function missingPodToleranceMs(cache: Cache): number {
  return isSingleMaster(cache) ? replacementMs.single : replacementMs.several;
}
