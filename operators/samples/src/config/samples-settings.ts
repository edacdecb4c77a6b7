import { listAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

export type ManagementState = "Managed" | "Unmanaged" | "Removed";

/** What a Config asks for. */
export interface SamplesSettings {
  /** Whatever else is written there counts as Managed. */
  readonly managementState: ManagementState;
  readonly samplesRegistry: string;
  readonly architectures: readonly string[];
  readonly skippedImagestreams: readonly string[];
  readonly skippedTemplates: readonly string[];
}

/** Of the spec, or of what the status says was processed last. Values of wrong types count as absent. */
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
