import type { EventText } from "@keelson/controller";
import type { KubeObject, KubeResource, ObjectKey, Selection } from "@keelson/kube";
import type { SyncRule } from "../sync/sync-rules.ts";
import type { ConfigPath } from "./config-paths.ts";
import type { SparseConfig } from "./sparse-merge.ts";

/** Objects that an observer reads. Its configuration is observed again when one of them changes. */
export interface ObservedInput {
  readonly resource: KubeResource;
  readonly selection?: Selection;
}

/** Cached objects of the observer's inputs. All inputs have been listed before `observe` is called. */
export interface ObservedObjects {
  /** @throws Error for an object that no input covers */
  find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined;
  /** @throws Error for a resource that no input selects completely, or completely in the namespace */
  list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[];
}

export interface ObservationScope {
  readonly objects: ObservedObjects;
  /** Last result of the observer: `spec.observedConfig` restricted to its paths. */
  readonly existing: SparseConfig;
  readonly now: Date;
  /** Reports an Event of the operator. Call it only for a change. */
  readonly report: (event: EventText) => void;
}

interface Observation {
  /** Configuration for the observer's paths. A value at any other path is an error. */
  readonly config: SparseConfig;
  /** Problems of the inputs that did not prevent a result. */
  readonly errors?: readonly string[];
  /** Copies that the observer needs from now on. They replace its previous ones. Default: unchanged. */
  readonly syncRules?: readonly SyncRule[];
}

/**
 * Computes a part of the operand's configuration from cluster objects. If an observer throws, its part and
 * its copies stay unchanged. A temporary read error must not empty the configuration of running operands.
 */
export interface ConfigObserver {
  /** Name in error messages. */
  readonly name: string;
  /** Paths that only this observer writes. Paths of observers must not overlap. */
  readonly paths: readonly ConfigPath[];
  readonly inputs: readonly ObservedInput[];
  /** Pure function of its argument. */
  observe(scope: ObservationScope): Observation;
}
