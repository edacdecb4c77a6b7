import type { AzureClients, AzureEnvironment, AzurePrincipal, IdentityCredentials } from "@keelson/azure";
import type { KeyPair, Logger } from "@keelson/base";
import type { Hive, Installer } from "@keelson/installers";
import type { ClusterResponses } from "@keelson/kube";
import type { SubscriptionDocument } from "@keelson/model";

export interface AzureConnection {
  /** Called before each request. Throws an error to prevent the request, for example after a lost lease. */
  readonly beforeRequest: () => void;
  readonly correlationId?: string | undefined;
  readonly logger: Logger;
}

/** Certificate with its key. `caPem` contains the certificate of the issuing CA if this CA is not publicly trusted. */
export interface IssuedCertificate extends KeyPair {
  readonly caPem?: string;
}

export interface CertificateIssuer {
  /**
   * Returns the certificate with this name. If the certificate is missing or expires soon, issues a new certificate. The first
   * DNS name becomes the certificate's CN.
   */
  issue(name: string, dnsNames: readonly string[], signal: AbortSignal): Promise<IssuedCertificate>;
  /** Deletes the certificate with this name. A missing certificate is not an error. */
  forget(name: string, signal: AbortSignal): Promise<void>;
}

/** Publishes the OIDC documents of each cluster's issuer of service account tokens. Azure accepts tokens of these issuers. */
export interface OidcIssuer {
  /** Length of new signing keys in bits. */
  readonly keyBits: number;
  /** Returns the URL of the issuer that publishes its documents under `name`. */
  urlOf(name: string): string;
  /** Publishes JSON documents under paths relative to the issuer's URL. Existing documents are replaced. */
  publish(
    name: string,
    documents: Readonly<Record<string, object>>,
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<void>;
  /** Deletes documents. Missing documents are not an error. */
  remove(
    name: string,
    paths: readonly string[],
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Dependencies for clusters with managed identities. */
export interface ManagedIdentities {
  /** Fetches a cluster identity's credentials from Azure's managed identity data plane. */
  fetchCredentials(
    identityUrl: string,
    resourceId: string,
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<IdentityCredentials>;
  /**
   * Returns the first of the given actions that an identity may not perform on a resource. Undefined if the identity may perform
   * all of them. `principalId` is the identity's object ID.
   */
  findForbiddenAction(
    principalId: string,
    resourceId: string,
    actions: readonly string[],
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  readonly oidcIssuer: OidcIssuer;
}

/** Subnets and gateway through which the service and the clusters are connected. All IDs are Azure resource IDs. */
export interface ServiceNetwork {
  /** ID of the subnet for the clusters' private endpoints. */
  readonly privateEndpointSubnetId: string;
  /** ID of the service's subnet. */
  readonly serviceSubnetId: string;
  /** ID of the subnet in which Hive runs installers. */
  readonly hiveSubnetId?: string;
  /** Gateway through which clusters reach the service. */
  readonly gateway?: {
    readonly subnetId: string;
    readonly resourceGroup: string;
    readonly privateLinkServiceName: string;
    readonly privateLinkServiceId: string;
  };
}

/** Container registry of the service with OpenShift images. */
export interface ContainerRegistry {
  readonly resourceId: string;
  /** Host of the registry, for example `name.azurecr.io`. */
  readonly domain: string;
  /** URL with which clusters check that the registry is reachable. Default: `https://DOMAIN/`. */
  readonly url?: string;
}

/** Environment of cluster operations. Real and simulated environments differ only in their implementations of this interface. */
export interface ClusterEnvironment {
  /** Azure region of the service. */
  readonly location: string;
  /** DNS zone of the clusters, for example `westeurope.example.org`. */
  readonly domain: string;
  /** Azure resource ID of the service's resource group that contains the DNS zone. */
  readonly resourceGroup: string;
  readonly subscriptionId: string;
  readonly network: ServiceNetwork;
  /** Parent domain of the service. The gateway receives cluster logs at one of its subdomains. */
  readonly serviceDomain?: string | undefined;
  /** Domains that clusters reach through the gateway, in addition to the domains of Azure and of the registry. */
  readonly gatewayDomains?: readonly string[];
  /** Type of the environment in cluster logs, for example `production`. It is the value of the flag `aro.environment`. */
  readonly environmentType: string;
  /** Container registry of the service. Undefined if clusters pull images with their customers' pull secrets. */
  readonly registry?: ContainerRegistry | undefined;
  /** True if managed resource groups have no deny assignment. */
  readonly disableDenyAssignments?: boolean;
  /** Address at which the service reaches all API servers of a simulated cloud. Default: the private endpoint of each cluster. */
  readonly clusterAddress?: string | undefined;
  readonly azure: AzureEnvironment;
  /** Response parser that the Kubernetes clients of all clusters share in this process. Default: one parser for each client. */
  readonly responses?: ClusterResponses;
  /** Returns Azure clients that sign in with the service's application, in the tenant of the subscription. */
  connectAzure(subscriptionId: string, connection: AzureConnection): AzureClients;
  connectAzureAs(
    credential: AzurePrincipal,
    subscriptionId: string,
    connection: AzureConnection,
  ): AzureClients;
  tenantIdOf(subscription: SubscriptionDocument): string;
  /** Undefined in service processes with a role that does not install clusters. */
  readonly installer?: Installer;
  /** Undefined if Hive is not used. */
  readonly hive?: Hive;
  readonly certificateIssuer: CertificateIssuer;
  /** Dependencies for managed identities. Undefined if this environment does not support managed identities. */
  readonly managedIdentities?: ManagedIdentities;
  /** Container image of the operator, including its tag. */
  readonly operatorImage: string;
  /**
   * Retry of authorization errors, which occur while Azure propagates new permissions and secrets. `forMs` is the maximum time
   * and `everyMs` the pause between attempts. In the public cloud, `forMs` is 10 minutes and `everyMs` is 30 seconds.
   */
  readonly authorizationRetry: { readonly everyMs: number; readonly forMs: number };
}
