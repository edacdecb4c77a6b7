import type { ClusterClient } from "@keelson/apimachinery";
import type { KeyPair, Secret } from "@keelson/base";
import type { Attributes } from "../auth/attributes.ts";
import type { TokenAuthenticator } from "../auth/token-authenticator.ts";
import type { User } from "../auth/user.ts";
import type { ApiFaults } from "../faults/api-faults.ts";
import type { ServiceAccountToken, ServiceAccountTokenRequest } from "../registry/token-request.ts";
import type { Admission } from "../resources/admission-request.ts";
import type { AggregatedResource } from "../resources/aggregated-resource.ts";
import type { NetworkAddress, ServiceRoute } from "../webhooks/webhook-client.ts";
import type { Kubelet } from "./kubelet.ts";
import type { OpenPath } from "./open-path.ts";
import type { ServedRequests } from "./request-metrics.ts";
import type { ServingCertificate } from "./serving-certificates.ts";

/** All PEM, nothing of it secret. */
export interface ClusterTrust {
  /** The authority of the server's own certificate. */
  readonly servingAuthorityPem: string;
  /** The public key of service account tokens. */
  readonly tokenKeyPem: string;
  /** The authority that signs approved certificate requests. */
  readonly clientSignerPem: string;
}

/** Kubernetes cluster with separate objects, revisions and users. */
export interface LogicalCluster {
  readonly name: string;
  /** `https://host:port/clusters/{name}`: the `server` of a kubeconfig. */
  readonly url: string;
  /**
   * Returns the address of a listener with the cluster's API at the root of the URL, as in-cluster configurations require.
   * It listens from the first call until the cluster is deleted.
   */
  rootAddress(): Promise<NetworkAddress>;
  readonly client: ClusterClient;
  /** The same objects, written as another user: admission judges that one. `allows` is for the caller to ask. */
  clientAs(writer: { readonly user: User }): ClusterClient;
  /**
   * Starts or stops serving requests over the network. A new cluster serves them. A stopped cluster returns 503 and ends
   * watches, as if its machines were off. `client` continues to work.
   */
  setServing(serving: boolean): void;
  /** Sets the version that `GET /version` returns until the process exits. */
  setGitVersion(gitVersion: string): void;
  /**
   * Replaces the certificates of one source (`installer`, `named`). The cluster serves their names at its root, for clients that
   * name them in the TLS handshake. Names of later sources override those of earlier ones.
   */
  setServingCertificates(source: string, certificates: readonly ServingCertificate[]): void;
  /** Sets the TTL of Events (`event-ttl`). It applies to existing Events too. Undefined: three hours. */
  setEventTtl(ttlMs: number | undefined): void;
  /** Faults of the API over the network; `undefined` ends them. `client` has none but the clock's. */
  setFaults(faults: ApiFaults | undefined): void;
  /** Forgets what happened so far, as etcd's compaction does: lists and watches that begin before now get 410. */
  forgetHistory(): Promise<void>;
  /** Cuts every stream over the network: watches begin again where their clients left off. */
  dropStreams(): void;
  /** Returns the counts of requests that were served over the network. */
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
  /** Sets the route to webhooks behind Services. Default: the addresses of their Endpoints. */
  setServiceRoute(route: ServiceRoute): void;
  /**
   * Issues a token as `POST serviceaccounts/{name}/token` does.
   * @throws StatusError 404 if the account or the bound object does not exist, 409 if the uid differs, 422
   */
  issueToken(request: ServiceAccountTokenRequest): Promise<ServiceAccountToken>;
  /** Returns what verifies the cluster's API server, its tokens and the certificates that it signed. */
  trust(): Promise<ClusterTrust>;
  /** Returns the private key, PEM, of service account tokens. The cluster accepts tokens signed with it. */
  tokenSigningKey(): Promise<Secret>;
  /** Reports whether the roles and bindings of the cluster allow a user a request. */
  allows(user: User, attributes: Attributes): Promise<boolean>;
  /** Lets `authenticator` judge bearer tokens too, for as long as the cluster is open. */
  addTokenAuthenticator(authenticator: TokenAuthenticator): void;
}

export interface LogicalClusterOptions {
  /** DNS label, unique in the server; the path segment of its URL. */
  readonly name: string;
  /** PEM certificates of the authorities for client certificates. CN is the user, each O a group. */
  readonly clientCertificateAuthorities: readonly string[];
  /** Bearer tokens and whom they stand for. Stored as hashes. */
  readonly tokens?: readonly StaticToken[];
  /** Version that `GET /version` returns, for example `v1.33.1`. */
  readonly gitVersion?: string;
  /** The `iss` of service account tokens and, when they name no other, their audience. */
  readonly serviceAccountIssuer?: string;
  /** PEM private key, RSA or P-256, that signs service account tokens. Default: a new key. */
  readonly serviceAccountKey?: string;
  /** Certificate authority that signs approved certificate requests. Default: a new authority. */
  readonly clientCertificateSigner?: KeyPair;
}

export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly groups?: readonly string[];
}
