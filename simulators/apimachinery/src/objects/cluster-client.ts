import type { KubeObject } from "./kube-object.ts";

/** Resource of an API version, identified by its plural name: `{ group: "apps", version: "v1", resource: "deployments" }`. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface ObjectKey {
  /** Namespace of the object. Undefined for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Options of a deletion: propagation policy for dependents, and preconditions. */
export interface DeleteOptions {
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /**
   * Grace period of the pod's containers, in seconds. 0 removes the pod immediately. The kubelet uses 0 after the containers have
   * stopped.
   */
  readonly gracePeriodSeconds?: number;
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

/** Options of a server-side apply. */
export interface ApplyOptions {
  readonly fieldManager: string;
  /** True to take ownership of conflicting fields. If false, a conflict fails with 409. */
  readonly force?: boolean;
  readonly subresource?: "status";
}

/**
 * Client of one cluster inside the server process, with administrator permissions. Writes follow the same rules as HTTP requests:
 * validation, conflicts, generation, finalizers. Failures are `StatusError`s with Kubernetes' reason and code. When the promise
 * of a write resolves, the write is durable.
 */
export interface ClusterClient {
  get(ref: ResourceRef, key: ObjectKey): Promise<KubeObject>;
  find(ref: ResourceRef, key: ObjectKey): Promise<KubeObject | undefined>;
  /** Lists objects in the order of their keys. `limit` is the maximum number of objects. Default: all objects. */
  list(ref: ResourceRef, options?: ListOptions & { readonly limit?: number }): Promise<ObjectList>;
  create(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** Replaces the object except its status. If `object` has an outdated `resourceVersion`, the request fails with a conflict. */
  update(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  updateStatus(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** Replaces the object and its status in one write. The HTTP API has no equivalent operation. */
  replace(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /**
   * Applies a merge patch (RFC 7386) to the object. If `subresource` is set, applies the patch to this subresource. For example,
   * a patch of the subresource `approval` approves a certificate signing request.
   */
  mergePatch(
    ref: ResourceRef,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    subresource?: "status" | "approval",
  ): Promise<KubeObject>;
  /**
   * Applies an object (server-side apply). Creates a missing object.
   * @throws StatusError 409 if a different manager owns a changed field
   */
  apply(ref: ResourceRef, object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  /** Deletes an object. Resolves when the object is removed or, if it has finalizers, when it is marked for deletion. */
  delete(ref: ResourceRef, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /**
   * Evicts a pod.
   * @throws StatusError 429 (`TooManyRequests`) if a disruption budget forbids the eviction
   */
  evict(pod: ObjectKey): Promise<void>;
  /**
   * Watches changes after `resourceVersion`. Without a `resourceVersion`, the watch first returns the current objects as ADDED
   * events.
   */
  watch(
    ref: ResourceRef,
    options: ListOptions & { readonly resourceVersion?: string },
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>;
}
