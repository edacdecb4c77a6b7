import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

export type ManagementState = "Managed" | "Unmanaged" | "Removed";

/** Settings of a Config. */
export interface SamplesSettings {
  /** Management state. An unknown value is treated as Managed. */
  readonly managementState: ManagementState;
  readonly samplesRegistry: string;
  readonly architectures: readonly string[];
  readonly skippedImagestreams: readonly string[];
  readonly skippedTemplates: readonly string[];
}

/**
 * Returns the settings in the spec or in the status. The status contains the settings that were processed last. Values of the
 * wrong type are ignored.
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
