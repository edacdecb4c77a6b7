import type { Clock } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { Admission } from "./admission.ts";
import type { ResourceDirectory } from "./resource-directory.ts";

/** What the verbs work on: the objects and the resources of one cluster. */
export interface RegistryContext {
  readonly store: RevisionStore;
  readonly directory: ResourceDirectory;
  readonly clock: Clock;
  /** Who may change or refuse writes. */
  readonly admission: Admission;
}

/** How a write wants to be treated (the query parameters of the same names). */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Receives what `fieldValidation: Warn` has to say. */
  readonly warn?: (text: string) => void;
}

/** Now, as metadata has it: RFC 3339 to the second. */
export function timestamp(clock: Clock): string {
  return clock
    .now()
    .toISOString()
    .replace(/\.\d+Z$/, "Z");
}
