import type { KubeObject, ObjectKey } from "./objects/kube-object.ts";
import type { KubeResource } from "./objects/kube-resource.ts";
import type { Fields } from "./responses/fields.ts";
import type { WatchEvent } from "./watch.ts";

/** Options of a list request: selected objects, limits and fields. */
export interface ListSelection extends Selection {
  /** Fields that the caller needs. `objectFields` adds the fields that identify an object. Default: complete objects. */
  readonly fields?: Fields;
  /** Maximum number of objects. A longer list fails with TooLarge. Default: the limit of the client. */
  readonly maxObjects?: number;
}

export interface Selection {
  /** Namespace of the objects. Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: readonly T[];
  /** Revision from which a subsequent watch can start. */
  readonly resourceVersion: string;
}

export interface WatchOptions extends Selection {
  /** The watch returns changes after this revision. Undefined with `sendInitialEvents`. */
  readonly resourceVersion?: string;
  /**
   * True for a streaming list (KEP-3157). The watch first sends every existing object as ADDED, then a BOOKMARK with
   * `initialEventsEnd`.
   */
  readonly sendInitialEvents?: boolean;
}

/** Step of a JSON patch (RFC 6902). */
export interface JsonPatchStep {
  readonly op: "add" | "remove" | "replace" | "test";
  /** JSON pointer of the field (RFC 6901). */
  readonly path: string;
  readonly value?: unknown;
}

export interface ApplyOptions {
  /**
   * True if the apply also overwrites fields of other managers and becomes their manager. If false, a field of a different
   * manager causes a conflict.
   */
  readonly force?: boolean;
  /** Field manager of the apply. Default: the client's field manager. */
  readonly fieldManager?: string;
  readonly subresource?: "status";
}

/** Result of a dry-run write, which the server validates but does not store. */
export interface DryRun<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** Warnings of the server, in the order of the response. */
  readonly warnings: readonly string[];
}

export interface DeleteOptions {
  /**
   * Grace period in seconds. With 0, the API server deletes a pod without waiting for its kubelet. Default: the object's grace
   * period.
   */
  readonly gracePeriodSeconds?: number;
  /** Deletion policy for dependent objects. Default: `Background`. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  /** True if a missing object is an error. */
  readonly mustExist?: boolean;
  /**
   * UID and revision that the object must have. If the object has a different UID or revision, the request fails with a conflict.
   */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * Kubernetes API operations that controllers use, over HTTPS or in process. The server's schema must guarantee the declared type
 * of each resource. The client validates only `metadata` of responses. Every method throws `KubeError`, or the signal's reason
 * after an abort.
 */
export interface KubeApi {
  /** Returns an object, reduced to `fields`. Default: the complete object. */
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
  /** Returns all selected objects. The client reads them in pages. */
  list<T extends KubeObject>(
    resource: KubeResource<T>,
    selection: ListSelection,
    signal: AbortSignal,
  ): Promise<KubeList<T>>;
  create<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T>;
  /**
   * Replaces the object except its status. If the object has an outdated `resourceVersion`, the request fails with a conflict.
   */
  replace<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T>;
  replaceStatus<T extends KubeObject>(resource: KubeResource<T>, object: T, signal: AbortSignal): Promise<T>;
  /** Applies an RFC 7386 merge patch, optionally to a subresource. */
  mergePatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    subresource?: "status" | "approval",
  ): Promise<T>;
  /** Applies an RFC 6902 JSON patch. If a `test` step fails, the error is `KubeError` Invalid (422) and nothing is written. */
  jsonPatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    steps: readonly JsonPatchStep[],
    signal: AbortSignal,
    subresource?: "status",
  ): Promise<T>;
  /**
   * Applies the object server-side. Default field manager: the client's. The server removes fields that this manager owns but
   * that `object` lacks.
   */
  apply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options?: ApplyOptions,
  ): Promise<T>;
  /** Sends a server-side apply as a dry run. Returns the object that would result, and the server's warnings. */
  dryRunApply<T extends KubeObject>(
    resource: KubeResource<T>,
    object: KubeObject,
    signal: AbortSignal,
    options?: ApplyOptions,
  ): Promise<DryRun<T>>;
  /** Deletes an object. A missing object is an error only with `mustExist`. */
  delete(resource: KubeResource, key: ObjectKey, signal: AbortSignal, options?: DeleteOptions): Promise<void>;
  /**
   * Watches a resource. The server ends every watch after some minutes. The caller then watches again from the last received
   * revision, or lists again.
   */
  watch<T extends KubeObject>(
    resource: KubeResource<T>,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
}
