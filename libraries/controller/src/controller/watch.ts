import type { KubeObject, KubeResource, ObjectKey, Selection } from "@keelson/kube";
import type { Change } from "../cache/informer.ts";
import type { Strip } from "../cache/strip-fields.ts";
import { keyOf } from "../objects/object-key.ts";
import { controllerOf } from "../objects/owner-references.ts";
import type { Predicate } from "./predicates.ts";

/** Watch of one resource that maps its changes to keys of a controller. */
export interface ObjectWatch<Context> {
  readonly kind: "objects";
  readonly resource: KubeResource;
  readonly selection: Selection;
  /** Reduces cached objects. Default: the cache's function. */
  readonly strip: Strip<KubeObject> | undefined;
  readonly where: Predicate;
  /**
   * Returns the keys to reconcile after a change of an object. For an update, the function is called twice: with the previous and
   * with the new state of the object.
   */
  readonly keys: (object: KubeObject, context: Context, change: Change) => Iterable<ObjectKey>;
}

/** Source of keys other than the API server, for example timers, files or external systems. */
export interface SourceWatch<Context> {
  readonly kind: "source";
  /** Runs until the signal aborts. A rejection stops the manager. */
  readonly run: (add: (key: ObjectKey) => void, context: Context, signal: AbortSignal) => Promise<void>;
}

export type Watch<Context> = ObjectWatch<Context> | SourceWatch<Context>;

export interface ObjectWatchOptions<T extends KubeObject> {
  readonly selection?: Selection;
  readonly strip?: Strip<T>;
  /** Selects the relevant changes. Default: all changes. */
  readonly where?: Predicate;
}

/** Creates a watch that reconciles the watched objects themselves. */
export function watch<T extends KubeObject>(
  resource: KubeResource<T>,
  options: ObjectWatchOptions<T> = {},
): ObjectWatch<unknown> {
  return objectWatch(resource, options, (object) => [keyOf(object)]);
}

/**
 * Creates a watch that reconciles the owner of the watched object. The owner is the object of kind `owner` that the watched
 * object's controller reference names.
 */
export function watchOwned<T extends KubeObject>(
  resource: KubeResource<T>,
  owner: KubeResource,
  options: ObjectWatchOptions<T> = {},
): ObjectWatch<unknown> {
  return objectWatch(resource, options, (object) => controllerOf(object, owner));
}

/**
 * Creates a watch that reconciles the keys that `keys` returns for the watched object. `keys` must only read memory, because it
 * is called for every change.
 */
export function watchMapped<T extends KubeObject, Context>(
  resource: KubeResource<T>,
  keys: (object: T, context: Context, change: Change) => Iterable<ObjectKey>,
  options: ObjectWatchOptions<T> = {},
): ObjectWatch<Context> {
  // The cast is safe, because the informer of a resource returns objects of the resource's type.
  return objectWatch(resource, options, keys as ObjectWatch<Context>["keys"]);
}

/** Creates a watch that reconciles one fixed key after every change, for example in a controller of a singleton. */
export function watchFor<T extends KubeObject>(
  resource: KubeResource<T>,
  key: ObjectKey,
  options: ObjectWatchOptions<T> = {},
): ObjectWatch<unknown> {
  return objectWatch(resource, options, () => [key]);
}

export function watchSource<Context>(run: SourceWatch<Context>["run"]): SourceWatch<Context> {
  return { kind: "source", run };
}

function objectWatch<T extends KubeObject, Context>(
  resource: KubeResource<T>,
  { selection = {}, strip, where = () => true }: ObjectWatchOptions<T>,
  keys: ObjectWatch<Context>["keys"],
): ObjectWatch<Context> {
  return {
    kind: "objects",
    resource,
    selection,
    strip: strip as Strip<KubeObject> | undefined,
    where,
    keys,
  };
}
