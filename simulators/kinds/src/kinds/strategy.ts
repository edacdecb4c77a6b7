import type { FieldSet, KubeObject, Phases, StatusCause } from "@keelson/apimachinery";
import type { HoldingsOf, HoldingsStore } from "./holdings.ts";

export interface StrategyContext {
  readonly store: HoldingsStore;
  /** RFC 3339 time with a precision of seconds. */
  readonly now: string;
  /** Returns the object with the defaults of its type. */
  readonly withTypeDefaults: (object: KubeObject) => Readonly<Record<string, unknown>>;
}

/** Rules of a built-in kind that differ from the rules of all objects. */
export interface Strategy<Context = StrategyContext> {
  /** Returns the error of an object name. Default: the name must be a DNS subdomain. */
  readonly nameFault?: (name: string) => string | undefined;
  /** Sets values that the server provides on creations and updates. Runs before the defaults of the type. */
  readonly applyDefaults?: (
    object: KubeObject,
    current: KubeObject | undefined,
    context: Context,
  ) => KubeObject;
  /** Validates the object in addition to the checks of its type. */
  readonly validate?: (object: KubeObject, current: KubeObject | undefined) => readonly StatusCause[];
  /** Rules for `metadata.generation`. Default: the kind has no generation. */
  readonly generation?: GenerationRules;
  /** True if a new object may have a status. Kinds with this property have no controller that sets the status. */
  readonly statusOnCreate?: boolean;
  /** Metadata that a status write cannot change. Default: all metadata can change. */
  readonly keptWithStatus?: "metadata" | "labels" | "ownerReferences";
  /** True if only the `finalize` subresource can change the spec. */
  readonly specByFinalize?: boolean;
  /** True if a PUT creates a missing object. Kubernetes: AllowCreateOnUpdate. */
  readonly createsOnUpdate?: boolean;
  /** True if updates must have a resource version. Kubernetes: AllowUnconditionalUpdate is false. */
  readonly requiresResourceVersion?: boolean;
  /** True if the response to a deletion contains the deleted object instead of a Status. Kubernetes: ReturnDeletedObject. */
  readonly returnsDeleted?: boolean;
  /** Changes an object when its deletion starts, for any propagation policy. Default: sets the standard deletion metadata. */
  readonly markDeleted?: (object: KubeObject, at: string) => KubeObject;
  /** Changes an object when its deletion starts, in addition to the standard deletion metadata. */
  readonly terminating?: (marked: KubeObject) => KubeObject;
  /**
   * Fields that the server sets in new objects. In the managed fields, the creator of an object owns the defaults, but not these
   * fields.
   */
  readonly serverFields?: FieldSet | ((object: KubeObject) => FieldSet);
  /**
   * Returns the values that only one object in a bucket may have. `applyDefaults` allocates the values. The first stored object
   * with a value owns the value.
   */
  readonly holdings?: HoldingsOf;
  /** Prepares to serve a large object. Yields between steps, so that other requests can run. */
  readonly prepare?: (object: KubeObject) => Phases<void>;
}

/** Rules for `metadata.generation`. The generation counts changes of the desired state. */
export interface GenerationRules {
  /** True if new objects have no generation. Default: they have generation 1. */
  readonly startsAbsent?: boolean;
  /** Metadata field that also increments the generation when it changes. */
  readonly countsMetadata?: "labels" | "annotations";
  /** True if only a deletion increments the generation, and updates do not. */
  readonly ignoresUpdates?: boolean;
  readonly ignoresDeletion?: boolean;
}
