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

/** Reads the cache: only objects of the observer's inputs, all of which have been listed before it is asked. */
export interface ObservedObjects {
  /** @throws Error for an object that no input covers */
  find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined;
  /** @throws Error for a resource that no input covers whole, or whole in the namespace */
  list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[];
}

export interface ObservationScope {
  readonly objects: ObservedObjects;
  /** What the observer last observed: `spec.observedConfig` with nothing but its paths. */
  readonly existing: SparseConfig;
  readonly now: Date;
  /** An Event of the operator. Say what changed, only when it did. */
  readonly report: (event: EventText) => void;
}

interface Observation {
  /** All that the observer wants at its paths; anything else is an error of the observer. */
  readonly config: SparseConfig;
  /** What is wrong with the inputs, although there is a configuration. */
  readonly errors?: readonly string[];
  /** The copies that the observer wants from now on, in place of those it wanted; as before when absent. */
  readonly syncRules?: readonly SyncRule[];
}

/**
 * Makes a part of the operand's configuration out of objects of the cluster. An observer that throws leaves its part and
 * its copies as they are: what is unreadable for a moment must not empty the configuration of what runs.
 */
export interface ConfigObserver {
  /** As errors name it. */
  readonly name: string;
  /** What it alone writes: no path is within another observer's. */
  readonly paths: readonly ConfigPath[];
  readonly inputs: readonly ObservedInput[];
  /** Its result depends on nothing but what it is given. */
  observe(scope: ObservationScope): Observation;
}
