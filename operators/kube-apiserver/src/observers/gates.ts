import { resources } from "@keelson/kube";
import type { ObservedObjects } from "@keelson/operator-kit";
import { type FeatureGates, featureGatesOf } from "../config/feature-gates.ts";
import { clusterInput, getSingleton } from "./inputs.ts";

export const gatesInput = clusterInput(resources.featureGates);

/**
 * Returns the feature gates of a version.
 * @throws Error if the cluster has no gates for the operator's version
 */
export function gatesFor(objects: ObservedObjects, version: string): FeatureGates {
  return featureGatesOf(getSingleton(objects, resources.featureGates), version);
}
