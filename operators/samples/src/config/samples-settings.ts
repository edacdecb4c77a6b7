import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

export type ManagementState = "Managed" | "Unmanaged" | "Removed";

/** Settings in a Config. */
export interface SamplesSettings {
  /** Unknown values are equivalent to Managed. */
  readonly managementState: ManagementState;
  readonly samplesRegistry: string;
  readonly architectures: readonly string[];
  readonly skippedImagestreams: readonly string[];
  readonly skippedTemplates: readonly string[];
}

/**
 * Settings in the spec, or those in the status that were processed last. Values of wrong types are ignored.
 */
export function settingsOf(config: KubeObject, member: "spec" | "status"): SamplesSettings {
  const state = stringAt(config, member, "managementState");
  const texts = (name: string) =>
    listAt(config, member, name).filter((each): each is string => typeof each === "string");
  return {
    managementState: state === "Removed" || state === "Unmanaged" ? state : "Managed",
    samplesRegistry: stringAt(config, member, "samplesRegistry") ?? "",
    architectures: texts("architectures"),
    skippedImagestreams: texts("skippedImagestreams"),
    skippedTemplates: texts("skippedTemplates"),
  };
}
