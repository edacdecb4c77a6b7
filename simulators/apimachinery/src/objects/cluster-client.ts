import type { KubeObject } from "./kube-object.ts";

/** Resource of a group-version by its plural: `{ group: "apps", version: "v1", resource: "deployments" }`. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface ObjectKey {
  /** Undefined for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Policy for dependents, and preconditions on the object. */
export interface DeleteOptions {
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Grace period of a pod's containers. 0 removes the pod immediately, as the kubelet does in the end. */
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
  /** Takes ownership of fields in conflict instead of failing. */
  readonly force?: boolean;
  readonly subresource?: "status";
}

/**
 * Client of one cluster without the network, with its administrator's permissions. The rules are those of HTTP
 * requests: validation, conflicts, generation, finalizers. Failures are `StatusError`s with Kubernetes'
 * reason and code. A resolved write is durable.
 */
export interface ClusterClient {
  get(ref: ResourceRef, key: ObjectKey): Promise<KubeObject>;
  find(ref: ResourceRef, key: ObjectKey): Promise<KubeObject | undefined>;
  list(ref: ResourceRef, options?: ListOptions): Promise<ObjectList>;
  create(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** Replaces everything except the status. A `resourceVersion` in `object` must be current. */
  update(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  updateStatus(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** Replaces the complete object including its status in one write, which is not possible over HTTP. */
  replace(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /**
   * Applies a merge patch (RFC 7386) to the object or, with `subresource`, to its status. `approval` approves
   * certificate requests.
   */
  mergePatch(
    ref: ResourceRef,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    subresource?: "status" | "approval",
  ): Promise<KubeObject>;
  /**
   * Applies an object (server-side apply). Creates it if it does not exist. @throws StatusError 409 for
   * fields of other managers
   */
  apply(ref: ResourceRef, object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  /** Resolves when the object is deleted, or marked for deletion while it has finalizers. */
  delete(ref: ResourceRef, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /**
   * Evicts a pod. Fails with 429 (`TooManyRequests`) if a disruption budget does not allow it.
   * @throws StatusError
   */
  evict(pod: ObjectKey): Promise<void>;
  /** Watches changes after `resourceVersion`. Default: the current objects as ADDED, then all changes. */
  watch(
    ref: ResourceRef,
    options: ListOptions & { readonly resourceVersion?: string },
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>;
}
