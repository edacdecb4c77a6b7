import type { KubeObject } from "@keelson/apiserver";
import { textsAt } from "../../base/fields.ts";

const prefix = "machineconfiguration.openshift.io";

/** Annotations and labels by which the machine config operator's parts talk to each other, on Nodes and configs. */
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
  /** When a node that reboots is up again, RFC 3339 with milliseconds: the simulation's own. */
  rebootUntil: "simulation.keelson.dev/reboot-until",
} as const;

export interface NodeConfig {
  readonly current: string | undefined;
  readonly desired: string | undefined;
  readonly state: string | undefined;
  readonly reason: string;
}

/** What a Node's annotations say of its configuration. */
export function nodeConfigOf(node: KubeObject): NodeConfig {
  const annotations = textsAt(node, "metadata", "annotations");
  return {
    current: annotations[configNames.currentConfig] || undefined,
    desired: annotations[configNames.desiredConfig] || undefined,
    state: annotations[configNames.state] || undefined,
    reason: annotations[configNames.reason] ?? "",
  };
}

/** The release whose machine config operator rendered or generated a config. */
export function releaseVersionOf(config: KubeObject | undefined): string | undefined {
  return textsAt(config, "metadata", "annotations")[configNames.releaseVersion];
}
