import type { KubeObject } from "@keelson/apiserver";
import { stringMapAt } from "../../base/fields.ts";

const prefix = "machineconfiguration.openshift.io";

/** Annotations and labels of the machine config operator on Nodes and MachineConfigs. */
export const configNames = {
  role: `${prefix}/role`,
  currentConfig: `${prefix}/currentConfig`,
  desiredConfig: `${prefix}/desiredConfig`,
  state: `${prefix}/state`,
  reason: `${prefix}/reason`,
  desiredDrain: `${prefix}/desiredDrain`,
  lastAppliedDrain: `${prefix}/lastAppliedDrain`,
  generatedBy: `${prefix}/generated-by-controller-version`,
  releaseVersion: `${prefix}/release-image-version`,
  /** Annotation with the end time of a node's reboot (RFC 3339 with milliseconds). Only the simulation uses it. */
  rebootUntil: "simulation.keelson.dev/reboot-until",
} as const;

export interface NodeConfig {
  readonly current: string | undefined;
  readonly desired: string | undefined;
  readonly state: string | undefined;
  readonly reason: string;
}

/** Returns a node's configuration state. The state is stored in the node's annotations. */
export function nodeConfigOf(node: KubeObject): NodeConfig {
  const annotations = stringMapAt(node, "metadata", "annotations");
  return {
    current: annotations[configNames.currentConfig] || undefined,
    desired: annotations[configNames.desiredConfig] || undefined,
    state: annotations[configNames.state] || undefined,
    reason: annotations[configNames.reason] ?? "",
  };
}

/** Returns the release of the machine config operator that created a config. */
export function releaseVersionOf(config: KubeObject | undefined): string | undefined {
  return stringMapAt(config, "metadata", "annotations")[configNames.releaseVersion];
}
