import type { KubeObject, ObjectKey } from "./objects/kube-object.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import type { Fields } from "./responses/fields.ts";
import type { WatchEvent } from "./watch.ts";

/** Bounds and fields of a list. */
export interface ListSelection extends Selection {
  /** Fields that the caller needs. `objectFields` adds those that identify an object. Default: whole objects. */
  readonly fields?: Fields;
  /** More objects are a failure TooLarge. Default: the limit of the client. */
  readonly maxObjects?: number;
}

export interface Selection {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: readonly T[];
  /** Where a watch goes on from. */
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
  /** Takes over fields that other managers own; otherwise they are a conflict. */
  readonly force?: boolean;
  /** The client's own when absent. */
  readonly fieldManager?: string;
  readonly subresource?: "status";
}

/** What a write would have done. */
export interface DryRun<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** What the server remarks about it, in its order. */
  readonly warnings: readonly string[];
}

export interface DeleteOptions {
  /** 0 takes a pod away without waiting for its kubelet. The object's own when absent. */
  readonly gracePeriodSeconds?: number;
  /** Where dependents go; `Background` when absent. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  /** An object that is already gone is a failure then. */
  readonly mustExist?: boolean;
  /** Deletes nothing but the object of this UID, or of this revision: otherwise a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * The verbs of one cluster's API that controllers use, over HTTPS or in process. An object has the type that its
 * resource declares, which the server's schema must vouch for: answers are checked for `metadata` only.
 * Every method throws `KubeError`, or the signal's reason on abort.
 */
export interface KubeApi {
  /** Only the `fields` that the caller needs. Default: the whole object. */
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
  /** RFC 7386 merge patch, of a part of its own when `subresource` says so. */
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
  /** Server-side apply, as the client's field manager unless the options name one: fields that it owned and `object` lacks are removed. */
  apply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options?: ApplyOptions,
  ): Promise<T>;
  /** What the server would make of an apply, and what it warns of: nothing is written. */
  dryRunApply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options?: ApplyOptions,
  ): Promise<DryRun<T>>;
  /** An object that is already gone is no failure, unless the options say so. */
  delete(resource: KubeResource, key: ObjectKey, signal: AbortSignal, options?: DeleteOptions): Promise<void>;
  /** Ends when the server ends it: watch again from the last version seen, or list again. */
  watch<T extends KubeObject>(
    resource: KubeResource<T>,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
}
