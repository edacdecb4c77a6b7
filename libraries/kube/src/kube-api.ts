import type { KubeObject, ObjectKey } from "./objects/kube-object.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import type { Fields } from "./responses/fields.ts";
import type { WatchEvent } from "./watch.ts";

/** Bounds and fields of a list. */
export interface ListSelection extends Selection {
  /**
   * Fields that the caller needs. `objectFields` adds the fields that identify an object. Default: complete
   * objects.
   */
  readonly fields?: Fields;
  /** More objects are a failure TooLarge. Default: the limit of the client. */
  readonly maxObjects?: number;
}

export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: readonly T[];
  /** Start of a subsequent watch. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Selection {
  /** Changes after it; absent with `sendInitialEvents`. */
  readonly resourceVersion?: string;
  /** First every object that exists, as ADDED, then a BOOKMARK with `initialEventsEnd` (KEP-3157, streaming lists). */
  readonly sendInitialEvents?: boolean;
}

/** A step of a JSON patch (RFC 6902). */
export interface JsonPatchStep {
  readonly op: "add" | "remove" | "replace" | "test";
  /** A JSON pointer. */
  readonly path: string;
  readonly value?: unknown;
}

export interface ApplyOptions {
  /** Takes ownership of fields of other managers. Otherwise they are a conflict. */
  readonly force?: boolean;
  /** Default: the client's field manager. */
  readonly fieldManager?: string;
  readonly subresource?: "status";
}

/** Result of a simulated write. */
export interface DryRun<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** Warnings of the server, in its order. */
  readonly warnings: readonly string[];
}

export interface DeleteOptions {
  /** 0 deletes a pod without waiting for its kubelet. Default: the object's own grace period. */
  readonly gracePeriodSeconds?: number;
  /** Handling of dependents. Default: `Background`. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  /** True if a missing object is an error. */
  readonly mustExist?: boolean;
  /** Deletes nothing but the object of this UID, or of this revision: otherwise a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * Verbs of a cluster's API that controllers use, over HTTPS or in process. An object has the type that its
 * resource declares, and the server's schema must guarantee it: only `metadata` of responses is validated.
 * Every method throws `KubeError`, or the signal's reason after an abort.
 */
export interface KubeApi {
  /** Returns only `fields`. Default: the complete object. */
  get<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    signal: AbortSignal,
    fields?: Fields,
  ): Promise<T>;
  find<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    signal: AbortSignal,
    fields?: Fields,
  ): Promise<T | undefined>;
  /** All objects selected, read in pages. */
  list<T extends KubeObject>(
    resource: KubeResource<T>,
    selection: ListSelection,
    signal: AbortSignal,
  ): Promise<KubeList<T>>;
  create<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T>;
  /** Replaces all but the status; a `resourceVersion` in the object must be current (conflict otherwise). */
  replace<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T>;
  replaceStatus<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T>;
  /** RFC 7386 merge patch, optionally of a subresource. */
  mergePatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    subresource?: "status" | "approval",
  ): Promise<T>;
  /** RFC 6902 JSON patch; a `test` that fails is a `KubeError` Invalid (422), and nothing is written. */
  jsonPatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    steps: readonly JsonPatchStep[],
    signal: AbortSignal,
    subresource?: "status",
  ): Promise<T>;
  /**
   * Server-side apply with the client's field manager unless the options have one. Its fields that are
   * missing in `object` are removed.
   */
  apply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options?: ApplyOptions,
  ): Promise<T>;
  /** Returns the result and the warnings of an apply without writing. */
  dryRunApply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options?: ApplyOptions,
  ): Promise<DryRun<T>>;
  /** Deletes an object. A missing object is not an error unless the options require it. */
  delete(resource: KubeResource, key: ObjectKey, signal: AbortSignal, options?: DeleteOptions): Promise<void>;
  /** Ends when the server ends it: watch again from the last version seen, or list again. */
  watch<T extends KubeObject>(
    resource: KubeResource<T>,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
}
