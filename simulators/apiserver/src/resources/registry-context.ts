import type { Clock, WorkBudget } from "@keelson/base";
import type { User } from "../auth/user.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { VersionConverter } from "../webhooks/convert.ts";
import type { Admission } from "./admission-request.ts";
import type { ResourceDirectory } from "./resource-directory.ts";

/** What the verbs work on: the objects and the resources of one cluster, and who has a say in writes. */
export interface RegistryContext {
  readonly store: RevisionStore;
  readonly directory: ResourceDirectory;
  readonly clock: Clock;
  readonly admission: Admission;
  /** Converts custom resources whose definition names a webhook for it. */
  readonly converter: VersionConverter;
  /** Whether a kubelet stops pods and confirms that they are gone: only then do they have a grace period. */
  readonly stopsPods: () => boolean;
}

/** How a write wants to be treated (the query parameters of the same names), and who wants it. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Receives what `fieldValidation: Warn` has to say. */
  readonly warn?: (text: string) => void;
  /** What strict decoding of the body found before it was a value: fields that are there twice. */
  readonly strictErrors?: readonly string[];
  /** Who owns the fields that the write sets. */
  readonly fieldManager?: string;
  /** For applies: take fields from other managers. */
  readonly force?: boolean;
  /** Empty or absent for the object itself. */
  readonly subresource?: string;
  /** The administrator when absent. */
  readonly user?: User;
  /** What the request may still take; as much as any when absent. */
  readonly budget?: WorkBudget | undefined;
  /** Throws where who writes may not create: asked when an update or an apply finds nothing. */
  readonly authorizeCreate?: () => Promise<void>;
  /** Admission had its say. */
  readonly admitted?: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as the client gave them. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Now, as metadata has it: RFC 3339 to the second. */
export function timestamp(clock: Clock): string {
  return timestampAt(clock.now());
}

export function timestampAt(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
