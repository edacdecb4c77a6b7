import type { KeyPair, Secret } from "@keelson/base";
import type { AggregatedResource } from "./aggregated/aggregated-resource.ts";
import type { OpenPath } from "./aggregated/open-path.ts";
import type { Attributes } from "./auth/attributes.ts";
import type { User } from "./auth/user.ts";
import type { ApiFaults } from "./faults/api-faults.ts";
import type { ServiceRoute } from "./http/webhook-client.ts";
import type { KubeObject } from "./kube-object.ts";
import type { Kubelet } from "./kubelet.ts";
import type { Admission } from "./registry/admission.ts";

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
  /** Of pods: how long their containers have; 0 removes the pod at once, which is the kubelet's last word. */
  readonly gracePeriodSeconds?: number;
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

/** Who applies, and how. */
export interface ApplyOptions {
  readonly fieldManager: string;
  /** Take fields from other managers instead of failing. */
  readonly force?: boolean;
  readonly subresource?: "status";
}

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
  /** Replaces all of it in one write, the status too, which no request can. */
  replace(ref: ResourceRef, object: KubeObject): Promise<KubeObject>;
  /** RFC 7386 merge patch, of the status when `subresource` says so. */
  mergePatch(
    ref: ResourceRef,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    subresource?: "status",
  ): Promise<KubeObject>;
  /** Server-side apply: creates the object if there is none. @throws StatusError 409 for fields of other managers */
  apply(ref: ResourceRef, object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  /** Resolves when the object is gone, or marked for deletion while finalizers hold it. */
  delete(ref: ResourceRef, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes a pod as its eviction does: 429 (`TooManyRequests`) while a disruption budget forbids it.
   * @throws StatusError
   */
  evict(pod: ObjectKey): Promise<void>;
  /** From the current state (as ADDED) when `resourceVersion` is absent, otherwise what came after it. */
  watch(
    ref: ResourceRef,
    options: ListOptions & { readonly resourceVersion?: string },
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent>;
}

/** A token for a service account (authentication.k8s.io/v1 TokenRequest). */
export interface ServiceAccountTokenRequest {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** For whom the token is; the API server when absent or empty. */
  readonly audiences?: readonly string[];
  /** At least 600; 3,600 when absent. */
  readonly expirationSeconds?: number;
  /** The token dies with this object. Its `uid` is a precondition. */
  readonly boundObject?: {
    readonly kind: "Pod" | "Secret" | "Node";
    readonly name: string;
    readonly uid?: string;
  };
}

export interface ServiceAccountToken {
  readonly token: string;
  /** RFC 3339, to the second. */
  readonly expirationTimestamp: string;
}

/** All PEM, nothing of it secret. */
export interface ClusterTrust {
  /** The authority of the server's own certificate. */
  readonly servingAuthorityPem: string;
  /** The public key of service account tokens. */
  readonly tokenKeyPem: string;
  /** The authority that signs approved certificate requests. */
  readonly clientSignerPem: string;
}

/** Whom a bearer token stands for. Everyone is in `system:authenticated` besides. */
export interface TokenUser {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Knows bearer tokens that the server itself does not, for example those of an OAuth server. Asked for each request
 * with a token that nobody before it knew: it should be quick. `undefined` for a token it does not know or that expired.
 */
export type TokenAuthenticator = (token: string) => Promise<TokenUser | undefined> | TokenUser | undefined;

/** Requests of one kind. */
export interface ServedRequests {
  /** As kube-apiserver's metrics name it: `GET`, `LIST`, `WATCH` and so on. */
  readonly verb: string;
  readonly code: string;
  readonly count: number;
}

/** A Kubernetes cluster of its own: objects, revisions, users. */
export interface LogicalCluster {
  readonly name: string;
  /** `https://host:port/clusters/{name}`: the `server` of a kubeconfig. */
  readonly url: string;
  readonly client: ClusterClient;
  /** The same objects, written as another user: admission judges that one. `allows` is for the caller to ask. */
  clientAs(writer: { readonly user: User }): ClusterClient;
  /**
   * Whether requests over the network are answered, as they are from the beginning. Otherwise they get 503 and watches
   * end: the machines that serve them are off. `client` goes on.
   */
  setServing(serving: boolean): void;
  /** What `GET /version` answers from now on, until the process ends. */
  setGitVersion(gitVersion: string): void;
  /** Faults of the API over the network; `undefined` ends them. `client` has none but the clock's. */
  setFaults(faults: ApiFaults | undefined): void;
  /** Forgets what happened so far, as etcd's compaction does: lists and watches that begin before now get 410. */
  forgetHistory(): Promise<void>;
  /** Cuts every stream over the network: watches begin again where their clients left off. */
  dropStreams(): void;
  /** How many requests over the network were answered so far. */
  servedRequests(): readonly ServedRequests[];
  /** Serves pods' `log`, `exec`, `portforward` and so on. Without one they are answered 501. */
  setKubelet(kubelet: Kubelet | undefined): void;
  /**
   * Adds resources besides those of CustomResourceDefinitions, some of them answered by code, until the process ends.
   * One that was there before is replaced.
   */
  declareResources(resources: readonly AggregatedResource[]): void;
  /**
   * Answers paths below the cluster's URL that are no part of the API, for example those of an OAuth server, until the
   * process ends. Callers need not be known.
   */
  declarePaths(paths: Readonly<Record<string, OpenPath>>): void;
  /** Adds an admission in process, asked about every write before webhooks and policies are. It ends with the process. */
  addAdmission(admission: Admission): void;
  /** How webhooks behind Services are reached; their Endpoints' addresses by default. */
  setServiceRoute(route: ServiceRoute): void;
  /**
   * Issues a token as `POST serviceaccounts/{name}/token` does. @throws StatusError 404 when the account or the bound
   * object is absent, 409 when that has another uid, 422
   */
  issueToken(request: ServiceAccountTokenRequest): Promise<ServiceAccountToken>;
  /** By what others verify this cluster's API server, its tokens and the certificates that it signed. */
  trust(): Promise<ClusterTrust>;
  /** The private key, PEM, of service account tokens: with it others sign tokens that this cluster accepts. */
  tokenSigningKey(): Promise<Secret>;
  /** Reports whether the roles and bindings of the cluster allow a user a request. */
  allows(user: User, attributes: Attributes): Promise<boolean>;
  /** Lets `authenticator` judge bearer tokens too, for as long as the cluster is open. */
  addTokenAuthenticator(authenticator: TokenAuthenticator): void;
}

export interface LogicalClusterOptions {
  /** DNS label, unique in the server; the path segment of its URL. */
  readonly name: string;
  /** PEM certificates whose signatures on client certificates are accepted: CN is the user, each O a group. */
  readonly clientCertificateAuthorities: readonly string[];
  /** Bearer tokens and whom they stand for. Stored as hashes. */
  readonly tokens?: readonly StaticToken[];
  /** What `GET /version` answers, as `v1.33.1`. */
  readonly gitVersion?: string;
  /** The `iss` of service account tokens and, when they name no other, their audience. */
  readonly serviceAccountIssuer?: string;
  /** The PEM private key, RSA or P-256, that signs service account tokens; made for the cluster when absent. */
  readonly serviceAccountKey?: string;
  /** The authority that signs approved certificate requests; made for the cluster when absent. */
  readonly clientCertificateSigner?: KeyPair;
}

export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly groups?: readonly string[];
}
