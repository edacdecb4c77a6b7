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
  /** Converts custom resources with their definition's conversion webhook. */
  readonly converter: VersionConverter;
  /** True if a kubelet stops pods and confirms their removal. If false, pods have no grace period. */
  readonly stopsPods: () => boolean;
}

/** Options of a write and the requesting user. Most options are query parameters of the same name. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Called with each warning of `fieldValidation: Warn`. */
  readonly warn?: (text: string) => void;
  /** Strict decoding errors that the decoded value cannot show, such as duplicate fields. */
  readonly strictErrors?: readonly string[];
  /**
   * Strategic merge patch as Go prints it. If the patch contains values of a wrong type, kube-apiserver's error message quotes
   * the patch in this form.
   */
  readonly strategicPatch?: string | undefined;
  /** Field manager that owns the written fields. */
  readonly fieldManager?: string;
  /** True to take ownership of conflicting fields. Only for apply. */
  readonly force?: boolean;
  /** Subresource to write. Empty or undefined for the main resource. */
  readonly subresource?: string;
  /** Requesting user. Default: the administrator. */
  readonly user?: User;
  /** Remaining work budget. Default: a new budget. */
  readonly budget?: WorkBudget | undefined;
  /** Called if the object of an update or apply does not exist. Throws if the user may not create the object. */
  readonly authorizeCreate?: () => Promise<void>;
  /** True if admission has already run. */
  readonly admitted?: boolean;
  /** Options object of the client: CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Returns the current time in the format of metadata: RFC 3339 with a precision of seconds. */
export function timestamp(clock: Clock): string {
  return timestampAt(clock.now());
}

export function timestampAt(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
