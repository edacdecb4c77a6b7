import type { ClusterClient, KubeObject } from "@keelson/apimachinery";
import type { KeyPair, Secret } from "@keelson/base";
import type { Attributes } from "../auth/attributes.ts";
import type { EffectiveRules } from "../auth/effective-rules.ts";
import type { PolicyRule } from "../auth/policy-rule.ts";
import type { AllowedSubjects } from "../auth/rbac.ts";
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

/** Kubernetes cluster in a shared process. It has separate objects, revisions and users. */
export interface LogicalCluster {
  readonly name: string;
  /** Server URL for a kubeconfig: `https://host:port/clusters/{name}`. */
  readonly url: string;
  /**
   * Returns the address of a separate listener with the cluster's API at the root of its URL. In-cluster configurations require
   * such an address. The listener exists from the first call until the cluster's deletion.
   */
  rootAddress(): Promise<NetworkAddress>;
  readonly client: ClusterClient;
  /**
   * Returns a client that writes as a different user. Admission checks that user. The caller must check authorization (`allows`).
   */
  clientAs(writer: { readonly user: User }): ClusterClient;
  /**
   * Starts or stops serving network requests. A new cluster serves requests. A stopped cluster returns 503 and ends watches, as
   * if its machines were off. `client` continues to work.
   */
  setServing(serving: boolean): void;
  /** Sets the version that `GET /version` returns until the process exits. */
  setGitVersion(gitVersion: string): void;
  /**
   * Replaces the certificates of one source (`installer`, `named`). The server selects the cluster by the host name in the TLS
   * handshake, and serves the cluster at the URL's root. Certificates of sources that were added later take precedence.
   */
  setServingCertificates(source: string, certificates: readonly ServingCertificate[]): void;
  /** Sets the TTL of new and existing Events (`event-ttl`). If undefined, the TTL is three hours. */
  setEventTtl(ttlMs: number | undefined): void;
  /** Injects faults into network requests. Undefined removes the faults. Clock faults also affect `client`. */
  setFaults(faults: ApiFaults | undefined): void;
  /** Compacts the history, as etcd does. Lists and watches that begin at earlier revisions then fail with 410. */
  forgetHistory(): Promise<void>;
  /** Closes all network streams. Clients resume their watches. */
  dropStreams(): void;
  /** Returns request counts for network requests. */
  servedRequests(): readonly ServedRequests[];
  /**
   * Sets the kubelet that serves `log`, `exec`, `portforward` and similar subresources of pods. Without a kubelet, such requests
   * fail with 501.
   */
  setKubelet(kubelet: Kubelet | undefined): void;
  /**
   * Adds aggregated resources until the process exits. The server stores the objects of a resource, or handlers implement the
   * resource. An existing resource with the same name is replaced.
   */
  declareResources(resources: readonly AggregatedResource[]): void;
  /**
   * Adds paths below the cluster's URL that are not part of the API, for example the paths of an OAuth server. The paths need no
   * authentication and exist until the process exits.
   */
  declarePaths(paths: Readonly<Record<string, OpenPath>>): void;
  /** Adds an in-process admission check until the process exits. The check runs for every write, before webhooks and policies. */
  addAdmission(admission: Admission): void;
  /** Sets the route to webhooks behind Services. Default: the addresses in their Endpoints. */
  setServiceRoute(route: ServiceRoute): void;
  /**
   * Issues a token, like `POST serviceaccounts/{name}/token`.
   * @throws StatusError 404 if the account or the bound object does not exist, 409 if the uid differs, 422
   */
  issueToken(request: ServiceAccountTokenRequest): Promise<ServiceAccountToken>;
  /** Returns the cluster's public keys and CA certificates. */
  trust(): Promise<ClusterTrust>;
  /** Returns the PEM private key for service account tokens. The cluster accepts tokens that are signed with this key. */
  tokenSigningKey(): Promise<Secret>;
  /** Resolves to true if the cluster's roles and bindings allow the user's request. */
  allows(user: User, attributes: Attributes): Promise<boolean>;
  /** Resolves to the users and groups that may perform the request according to the cluster's roles and bindings. */
  allowedSubjects(attributes: Attributes): Promise<AllowedSubjects>;
  /**
   * Resolves to the user's rules in a namespace with one resource per rule. If `limit` is set, the result contains only
   * permissions that the rules in `limit` also grant. `missing` contains an error message for each bound role that does not
   * exist.
   */
  effectiveRules(
    user: User,
    namespace: string,
    limit?: readonly PolicyRule[],
  ): Promise<EffectiveRules & { readonly missing: readonly string[] }>;
  /**
   * Creates the default roles and bindings of a distribution. Adds missing parts to roles and bindings that are already stored,
   * as the API server does at its start. Objects with the annotation `rbac.authorization.kubernetes.io/autoupdate: "false"` and
   * objects in missing namespaces are skipped.
   */
  reconcilePolicy(wanted: readonly KubeObject[]): Promise<void>;
  /** Adds an authenticator of bearer tokens until the cluster closes. */
  addTokenAuthenticator(authenticator: TokenAuthenticator): void;
}

export interface LogicalClusterOptions {
  /** Name of the cluster. It is a DNS label, unique in the server, and a path segment of the cluster's URL. */
  readonly name: string;
  /** PEM certificates of the CAs for client certificates. In a client certificate, CN is the user and each O is a group. */
  readonly clientCertificateAuthorities: readonly string[];
  /** Bearer tokens and their users. Only hashes of the tokens are stored. */
  readonly tokens?: readonly StaticToken[];
  /** Version that `GET /version` returns, for example `v1.33.1`. */
  readonly gitVersion?: string;
  /** Issuer (`iss`) and default audience of service account tokens. */
  readonly serviceAccountIssuer?: string;
  /** PEM private key (RSA or P-256) that signs service account tokens. Default: a new key. */
  readonly serviceAccountKey?: string;
  /** CA that signs approved certificate requests. Default: a new CA. */
  readonly clientCertificateSigner?: KeyPair;
}

export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly groups?: readonly string[];
}
