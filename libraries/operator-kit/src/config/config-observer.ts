import type { EventText } from "@keelson/controller";
import type { KubeObject, KubeResource, ObjectKey, Selection } from "@keelson/kube";
import type { SyncRule } from "../sync/sync-rules.ts";
import type { ConfigPath } from "./config-paths.ts";
import type { SparseConfig } from "./sparse-merge.ts";

/** Objects that an observer reads. The observer runs again when one of them changes. */
export interface ObservedInput {
  readonly resource: KubeResource;
  readonly selection?: Selection;
}

/** Cached objects of the observer's inputs. The initial lists are complete before `observe` is called. */
export interface ObservedObjects {
  /** @throws Error if no input covers the object */
  find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined;
  /** @throws Error if no input selects the complete resource or the complete namespace */
  list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[];
}

export interface ObservationScope {
  readonly objects: ObservedObjects;
  /** Previous result of the observer: `spec.observedConfig` reduced to the observer's paths. */
  readonly existing: SparseConfig;
  readonly now: Date;
  /** Reports an Event of the operator. Observers call it only if their result changes. */
  readonly report: (event: EventText) => void;
}

interface Observation {
  /** Configuration at the observer's paths. A value at any other path is an error. */
  readonly config: SparseConfig;
  /** Input problems that did not prevent a result. */
  readonly errors?: readonly string[];
  /**
   * Object copies that the observer requests. They replace the copies of its earlier requests. Default: the earlier copies
   * remain.
   */
  readonly syncRules?: readonly SyncRule[];
}

/**
 * Computes one section of the operand's configuration from cluster objects. If an observer throws, its section and its object
 * copies do not change. A temporary read error therefore does not remove values from the configuration of running operands.
 */
export interface ConfigObserver {
  /** Name of the observer in error messages. */
  readonly name: string;
  /** Paths that only this observer writes. Paths of different observers must not overlap. */
  readonly paths: readonly ConfigPath[];
  readonly inputs: readonly ObservedInput[];
  /** Computes the configuration. It must be a pure function. */
  observe(scope: ObservationScope): Observation;
}
