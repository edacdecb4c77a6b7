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

/** Public keys and certificates of a cluster, in PEM. */
export interface ClusterTrust {
  /** CA of the server's certificate. */
  readonly servingAuthorityPem: string;
  /** Public key of service account tokens. */
  readonly tokenKeyPem: string;
  /** CA that signs approved certificate requests. */
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
  /**
   * Returns a client that writes as a different user. Admission applies to that user. Authorization is up to
   * the caller (`allows`).
   */
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
  /**
   * Injects faults into the API over the network. Undefined removes them. `client` is only affected by faults
   * of the clock.
   */
  setFaults(faults: ApiFaults | undefined): void;
  /** Compacts the history, as etcd does: lists and watches that begin at earlier revisions fail with 410. */
  forgetHistory(): Promise<void>;
  /** Closes all network streams. Clients resume their watches. */
  dropStreams(): void;
  /** Returns the counts of requests that were served over the network. */
  servedRequests(): readonly ServedRequests[];
  /**
   * Sets the kubelet for the pods' `log`, `exec`, `portforward` and similar subresources. Without one they
   * fail with 501.
   */
  setKubelet(kubelet: Kubelet | undefined): void;
  /**
   * Adds resources in addition to those of CustomResourceDefinitions, some implemented by code, until the
   * process exits. Replaces an existing resource of the same name.
   */
  declareResources(resources: readonly AggregatedResource[]): void;
  /**
   * Adds paths below the cluster's URL that are not part of the API, such as those of an OAuth server, until
   * the process exits. Requests need no authentication.
   */
  declarePaths(paths: Readonly<Record<string, OpenPath>>): void;
  /**
   * Adds in-process admission, which runs before webhooks and policies for every write, until the process
   * exits.
   */
  addAdmission(admission: Admission): void;
  /** Sets the route to webhooks behind Services. Default: the addresses of their Endpoints. */
  setServiceRoute(route: ServiceRoute): void;
  /**
   * Issues a token as `POST serviceaccounts/{name}/token` does.
   * @throws StatusError 404 if the account or the bound object does not exist, 409 if the uid differs, 422
   */
  issueToken(request: ServiceAccountTokenRequest): Promise<ServiceAccountToken>;
  /** Returns the public keys of the cluster: CAs and the token key. */
  trust(): Promise<ClusterTrust>;
  /** Returns the private key, PEM, of service account tokens. The cluster accepts tokens signed with it. */
  tokenSigningKey(): Promise<Secret>;
  /** Resolves to true if the cluster's roles and bindings allow a user's request. */
  allows(user: User, attributes: Attributes): Promise<boolean>;
  /** Adds an authenticator of bearer tokens until the cluster closes. */
  addTokenAuthenticator(authenticator: TokenAuthenticator): void;
}

export interface LogicalClusterOptions {
  /** DNS label, unique in the server. Path segment of the cluster's URL. */
  readonly name: string;
  /** PEM certificates of the CAs for client certificates. CN is the user, each O a group. */
  readonly clientCertificateAuthorities: readonly string[];
  /** Bearer tokens and their users. Stored as hashes. */
  readonly tokens?: readonly StaticToken[];
  /** Version that `GET /version` returns, for example `v1.33.1`. */
  readonly gitVersion?: string;
  /** Issuer (`iss`) of service account tokens and their default audience. */
  readonly serviceAccountIssuer?: string;
  /** PEM private key, RSA or P-256, that signs service account tokens. Default: a new key. */
  readonly serviceAccountKey?: string;
  /** CA that signs approved certificate requests. Default: a new CA. */
  readonly clientCertificateSigner?: KeyPair;
}

export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly groups?: readonly string[];
}
