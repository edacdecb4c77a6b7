import type { KubeObject } from "./kube-object.ts";

/** A resource of a group-version, by its plural: `{ group: "apps", version: "v1", resource: "deployments" }`. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface ObjectKey {
  /** Absent for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** What happens to dependents, and to which object the deletion is meant to happen. */
export interface DeleteOptions {
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

/**
 * The objects of one cluster without the network, as its administrator: the same rules as over HTTP
 * (validation, conflicts, generation, finalizers). Failures throw a `StatusError` with Kubernetes' reason and code.
 * A resolved write is durable.
 */
export interface ClusterClient {
  get(ref: ResourceRef, key: ObjectKey): Promise<KubeObject>;
  find(ref: ResourceRef, key: ObjectKey): Promise<KubeObject | undefined>;
  list(ref: ResourceRef, options?: ListOptions): Promise<ObjectList>;
  create(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** Replaces all but the status. A `resourceVersion` in `object` must be current. */
  update(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  updateStatus(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** RFC 7386 merge patch, of the status when `subresource` says so. */
  mergePatch(
    ref: ResourceRef,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    subresource?: "status",
  ): Promise<KubeObject>;
  /** Resolves when the object is gone, or marked for deletion while finalizers hold it. */
  delete(ref: ResourceRef, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** From the current state (as ADDED) when `resourceVersion` is absent, otherwise what came after it. */
  watch(
    ref: ResourceRef,
    options: ListOptions & { readonly resourceVersion?: string },
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>;
}

/** A Kubernetes cluster of its own: objects, revisions, users. */
export interface LogicalCluster {
  readonly name: string;
  /** `https://host:port/clusters/{name}`: the `server` of a kubeconfig. */
  readonly url: string;
  readonly client: ClusterClient;
  /**
   * Whether requests over the network are answered, as they are from the beginning. Otherwise they get 503 and watches
   * end: the machines that serve them are off. `client` goes on.
   */
  setServing(serving: boolean): void;
}

export interface LogicalClusterOptions {
  /** DNS label, unique in the server; the path segment of its URL. */
  readonly name: string;
  /** PEM certificates whose signatures on client certificates are accepted: CN is the user, each O a group. */
  readonly clientCertificateAuthorities: readonly string[];
  /** Bearer tokens and whom they stand for. Stored as hashes. */
  readonly tokens?: readonly StaticToken[];
  /** What `GET /version` answers, for example `v1.32.9`. */
  readonly gitVersion?: string;
}

export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly groups?: readonly string[];
}
