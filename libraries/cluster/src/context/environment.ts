import type { AzureClients, AzureEnvironment, AzurePrincipal, IdentityCredentials } from "@keelson/azure";
import type { KeyPair, Logger } from "@keelson/base";
import type { Hive, Installer } from "@keelson/installers";
import type { ClusterResponses } from "@keelson/kube";
import type { SubscriptionDocument } from "@keelson/model";

export interface AzureConnection {
  /** Throws to forbid a request; called before each. */
  readonly beforeRequest: () => void;
  readonly correlationId?: string | undefined;
  readonly logger: Logger;
}

/** Certificate, with its CA unless that is publicly trusted. */
export interface IssuedCertificate extends KeyPair {
  readonly caPem?: string;
}

export interface CertificateIssuer {
  /** The certificate of this `name`, issued if it does not exist or nears its end. The first DNS name is its CN. */
  issue(name: string, dnsNames: readonly string[], signal: AbortSignal): Promise<IssuedCertificate>;
  /** Removes the certificate with this name. A missing one is not an error. */
  forget(name: string, signal: AbortSignal): Promise<void>;
}

/** Publishes the issuers of clusters' service account tokens for Azure. */
export interface OidcIssuer {
  /** The length of new signing keys. */
  readonly keyBits: number;
  /** URL of the issuer with documents under `name`. */
  urlOf(name: string): string;
  /** Publishes JSON documents by their path below the issuer. Existing ones are replaced. */
  publish(
    name: string,
    documents: Readonly<Record<string, object>>,
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<void>;
  /** Absent documents are fine. */
  remove(
    name: string,
    paths: readonly string[],
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Dependencies of clusters with managed identities. */
export interface ManagedIdentities {
  /** Fetches a cluster identity's credentials from the data plane of managed identities. */
  fetchCredentials(
    identityUrl: string,
    resourceId: string,
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<IdentityCredentials>;
  /** The first of the actions that an identity, by its object ID, may not do with a resource. */
  findForbiddenAction(
    principalId: string,
    resourceId: string,
    actions: readonly string[],
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  readonly oidcIssuer: OidcIssuer;
}

/** The service's networks that clusters are connected with. IDs are resource IDs. */
export interface ServiceNetwork {
  /** Subnet of the private endpoints of clusters. */
  readonly privateEndpointSubnetId: string;
  /** Subnet of the service. */
  readonly serviceSubnetId: string;
  /** Subnet in which Hive runs installers. */
  readonly hiveSubnetId?: string;
  /** The gateway by which clusters reach the service. */
  readonly gateway?: {
    readonly subnetId: string;
    readonly resourceGroup: string;
    readonly privateLinkServiceName: string;
    readonly privateLinkServiceId: string;
  };
}

/** The service's registry of OpenShift's images. */
export interface ContainerRegistry {
  readonly resourceId: string;
  /** Its host, for example `name.azurecr.io`. */
  readonly domain: string;
  /** URL that clusters check as reachable. Default: `https://DOMAIN/`. */
  readonly url?: string;
}

/** Environment of cluster operations. It is the only environment-specific part. */
export interface ClusterEnvironment {
  /** The region that this service serves. */
  readonly location: string;
  /** The DNS zone of its clusters, for example `westeurope.example.org`. */
  readonly domain: string;
  /** Resource group of the service with the DNS zone, and its subscription. */
  readonly resourceGroup: string;
  readonly subscriptionId: string;
  readonly network: ServiceNetwork;
  /** Parent domain of the service. The gateway receives cluster logs at a subdomain. */
  readonly serviceDomain?: string | undefined;
  /** Domains that clusters reach through the gateway, in addition to those of Azure and the registry. */
  readonly gatewayDomains?: readonly string[];
  /** The kind of environment that clusters' logs name, for example `production`: the flag `aro.environment`. */
  readonly environmentType: string;
  /** Undefined if clusters pull images with their customers' pull secrets. */
  readonly registry?: ContainerRegistry | undefined;
  /** True if managed groups have no deny assignment. */
  readonly disableDenyAssignments?: boolean;
  /** Address of the API servers of all clusters in a simulated cloud. Default: each cluster's private endpoint. */
  readonly clusterAddress?: string | undefined;
  readonly azure: AzureEnvironment;
  /** Parses responses of clusters for the process. Default: each client does so independently. */
  readonly responses?: ClusterResponses;
  /** Clients with the service's application, in the tenant of that subscription. */
  connectAzure(subscriptionId: string, connection: AzureConnection): AzureClients;
  connectAzureAs(
    credential: AzurePrincipal,
    subscriptionId: string,
    connection: AzureConnection,
  ): AzureClients;
  tenantIdOf(subscription: SubscriptionDocument): string;
  /** Undefined in roles that install no clusters. */
  readonly installer?: Installer;
  /** Undefined without Hive. */
  readonly hive?: Hive;
  readonly certificateIssuer: CertificateIssuer;
  /** Undefined if managed identities are unavailable. */
  readonly managedIdentities?: ManagedIdentities;
  /** Container image of the operator in clusters, with its tag. */
  readonly operatorImage: string;
  /**
   * Maximum propagation time of new rights and secrets in Azure, and the pause between attempts: 10 minutes
   * and 30 seconds in the public cloud.
   */
  readonly authorizationRetry: { readonly everyMs: number; readonly forMs: number };
}
