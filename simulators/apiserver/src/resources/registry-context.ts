import type { Clock, WorkBudget } from "@keelson/base";
import type { User } from "../auth/user.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { VersionConverter } from "../webhooks/convert.ts";
import type { Admission } from "./admission-request.ts";
import type { ResourceDirectory } from "./resource-directory.ts";

/** Dependencies of the verbs: storage, resources and admission of one cluster. */
export interface RegistryContext {
  readonly store: RevisionStore;
  readonly directory: ResourceDirectory;
  readonly clock: Clock;
  readonly admission: Admission;
  /** Converts custom resources of definitions with a conversion webhook. */
  readonly converter: VersionConverter;
  /** True if a kubelet stops pods and confirms their removal. Only then do pods have a grace period. */
  readonly stopsPods: () => boolean;
}

/** Options of a write (query parameters of the same names) and its user. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Receives warnings of `fieldValidation: Warn`. */
  readonly warn?: (text: string) => void;
  /** Errors of strict decoding that the decoded value does not show: duplicate fields. */
  readonly strictErrors?: readonly string[];
  /** Field manager that owns the written fields. */
  readonly fieldManager?: string;
  /** Apply only: takes ownership of fields in conflict. */
  readonly force?: boolean;
  /** Empty or undefined for the object itself. */
  readonly subresource?: string;
  /** Default: the administrator. */
  readonly user?: User;
  /** Remaining work budget. Default: a new budget. */
  readonly budget?: WorkBudget | undefined;
  /** Throws if the user may not create the object. Called when an update or apply finds no object. */
  readonly authorizeCreate?: () => Promise<void>;
  /** True if admission has already run. */
  readonly admitted?: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the client. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Current time as in metadata: RFC 3339 in seconds. */
export function timestamp(clock: Clock): string {
  return timestampAt(clock.now());
}

export function timestampAt(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
