import type { Fault } from "../faults/fault.ts";
import type { FaultRegistry } from "../faults/fault-registry.ts";
import type { ImageRule } from "../kubelet/processes/image-rule.ts";
import type { ImageRules } from "../kubelet/processes/image-rules.ts";
import type { UpdateGraph } from "../updates/update-graph.ts";
import type { UpdateSource } from "../updates/update-source.ts";

/** Settings that apply to the clusters of all processes. */
export interface WorldSettings {
  /** Version of the settings. Opaque. */
  readonly revision: string;
  readonly faults: readonly Fault[];
  readonly imageRules: readonly ImageRule[];
  /** Update graph. Undefined if the default updates are offered. */
  readonly updates?: UpdateGraph | undefined;
}

/** Stores of the settings in one process. */
export interface SettingsStores {
  readonly faults: FaultRegistry;
  readonly imageRules: ImageRules;
  readonly updates: UpdateSource;
}

/** Returns the current settings of a process. */
export function settingsIn({ faults, imageRules, updates }: SettingsStores, revision: string): WorldSettings {
  return { revision, faults: faults.list(), imageRules: imageRules.list(), updates: updates.graph };
}

/** Replaces the settings of a process. */
export function applySettings(stores: SettingsStores, settings: WorldSettings): void {
  stores.faults.replace(settings.faults);
  stores.imageRules.replace(settings.imageRules);
  const { updates } = settings;
  if (JSON.stringify(updates) !== JSON.stringify(stores.updates.graph)) stores.updates.program(updates);
}
