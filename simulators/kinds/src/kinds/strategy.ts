import type { FieldSet, KubeObject, Phases, StatusCause } from "@keelson/apimachinery";
import type { HoldingsOf, HoldingsStore } from "./holdings.ts";

export interface StrategyContext {
  readonly store: HoldingsStore;
  /** RFC 3339, to the second. */
  readonly now: string;
  /** The object with the defaults of its type. */
  readonly withTypeDefaults: (object: KubeObject) => Readonly<Record<string, unknown>>;
}

/** Rules of a built-in kind beyond the rules of all objects. All are optional. */
export interface Strategy<Context = StrategyContext> {
  /** What is wrong with a name. Absent: it is a DNS subdomain. */
  readonly nameFault?: (name: string) => string | undefined;
  /** Fills in what the server adds when an object is created or replaced, before the defaults of its type. */
  readonly applyDefaults?: (
    object: KubeObject,
    current: KubeObject | undefined,
    context: Context,
  ) => KubeObject;
  /** What is wrong beyond the checks of its type. */
  readonly validate?: (object: KubeObject, current: KubeObject | undefined) => readonly StatusCause[];
  /** `metadata.generation` counts changes of what the user wants. Absent: the kind has none. */
  readonly generation?: GenerationRules;
  /** A new object may bring a status: there is no controller whose word it is. */
  readonly statusOnCreate?: boolean;
  /** What of the metadata a write of the status leaves as it is. Absent: nothing. */
  readonly keptWithStatus?: "metadata" | "labels" | "ownerReferences";
  /** The spec changes only through the `finalize` subresource. */
  readonly specByFinalize?: boolean;
  /** A PUT creates what is not there. Kubernetes: AllowCreateOnUpdate. */
  readonly createsOnUpdate?: boolean;
  /** Only those who have seen an object update it. Kubernetes: AllowUnconditionalUpdate is false. */
  readonly requiresResourceVersion?: boolean;
  /** A deletion is answered with what was deleted, where others have a Status. Kubernetes: ReturnDeletedObject. */
  readonly returnsDeleted?: boolean;
  /** What the beginning of its deletion makes of an object, whatever the policy. Absent: it is marked as all are. */
  readonly markDeleted?: (object: KubeObject, at: string) => KubeObject;
  /** What an object marked as all are becomes besides. */
  readonly terminating?: (marked: KubeObject) => KubeObject;
  /** What the server gives to new objects: unlike defaults, it is not its creator's. */
  readonly serverFields?: FieldSet | ((object: KubeObject) => FieldSet);
  /** What no two objects may have: `applyDefaults` gives it out, and who is stored first has it. */
  readonly holdings?: HoldingsOf;
  /** Prepares in parts what serving a large object of the kind takes. */
  readonly prepare?: (object: KubeObject) => Phases<void>;
}

/** How `metadata.generation` counts the changes of what users want of a built-in kind. */
export interface GenerationRules {
  /** Absent: new objects have generation 1. */
  readonly startsAbsent?: boolean;
  /** Metadata whose changes count as well. */
  readonly countsMetadata?: "labels" | "annotations";
  /** Updates do not count: only the deletion does. */
  readonly ignoresUpdates?: boolean;
  readonly ignoresDeletion?: boolean;
}
