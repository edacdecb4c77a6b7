import type { FieldSet, KubeObject, Phases, StatusCause } from "@keelson/apimachinery";
import type { HoldingsOf, HoldingsStore } from "./holdings.ts";

export interface StrategyContext {
  readonly store: HoldingsStore;
  /** RFC 3339 time in seconds. */
  readonly now: string;
  /** Returns the object with its type's defaults. */
  readonly withTypeDefaults: (object: KubeObject) => Readonly<Record<string, unknown>>;
}

/** Optional rules of a built-in kind beyond those of all objects. */
export interface Strategy<Context = StrategyContext> {
  /** Returns the error of a name. Default: must be a DNS subdomain. */
  readonly nameFault?: (name: string) => string | undefined;
  /** Sets server-provided values on creation and updates, before the defaults of the type. */
  readonly applyDefaults?: (
    object: KubeObject,
    current: KubeObject | undefined,
    context: Context,
  ) => KubeObject;
  /** Validates the object beyond the checks of its type. */
  readonly validate?: (object: KubeObject, current: KubeObject | undefined) => readonly StatusCause[];
  /** Rules for `metadata.generation`. Default: the kind has no generation. */
  readonly generation?: GenerationRules;
  /** True if a new object may have a status, because no controller sets it. */
  readonly statusOnCreate?: boolean;
  /** Metadata that a status write does not change. Default: none. */
  readonly keptWithStatus?: "metadata" | "labels" | "ownerReferences";
  /** True if the spec can only be changed through the `finalize` subresource. */
  readonly specByFinalize?: boolean;
  /** True if a PUT creates a missing object. Kubernetes: AllowCreateOnUpdate. */
  readonly createsOnUpdate?: boolean;
  /** True if updates must have a resource version. Kubernetes: AllowUnconditionalUpdate is false. */
  readonly requiresResourceVersion?: boolean;
  /** True if a deletion returns the deleted object instead of a Status. Kubernetes: ReturnDeletedObject. */
  readonly returnsDeleted?: boolean;
  /**
   * Changes an object at the start of its deletion, for any propagation policy. Default: the usual deletion
   * metadata.
   */
  readonly markDeleted?: (object: KubeObject, at: string) => KubeObject;
  /** Changes an object in addition to the usual deletion metadata. */
  readonly terminating?: (marked: KubeObject) => KubeObject;
  /** Fields that the server sets in new objects. Unlike defaults, they are not owned by the creator. */
  readonly serverFields?: FieldSet | ((object: KubeObject) => FieldSet);
  /** Exclusive values. `applyDefaults` allocates them, and the first stored object owns them. */
  readonly holdings?: HoldingsOf;
  /** Prepares the serving of a large object in phases. */
  readonly prepare?: (object: KubeObject) => Phases<void>;
}

/** Rules of `metadata.generation`, which counts changes of the desired state. */
export interface GenerationRules {
  /** Default: new objects have generation 1. */
  readonly startsAbsent?: boolean;
  /** Metadata with changes that also count. */
  readonly countsMetadata?: "labels" | "annotations";
  /** True if only the deletion counts, not updates. */
  readonly ignoresUpdates?: boolean;
  readonly ignoresDeletion?: boolean;
}
