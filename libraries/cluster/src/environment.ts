import type { AzureClients, AzureEnvironment, AzurePrincipal, IdentityCredentials } from "@keelson/azure";
import type { KeyPair, Logger } from "@keelson/base";
import type { Hive, Installer } from "@keelson/installers";
import type { SubscriptionDocument } from "@keelson/model";

export interface AzureConnection {
  /** Throws to forbid a request; asked before each. */
  readonly beforeRequest: () => void;
  readonly correlationId?: string;
  readonly logger: Logger;
}

/** A certificate with the authority's own when that is not one that clients trust anyway. */
export interface IssuedCertificate extends KeyPair {
  readonly caPem?: string;
}

export interface CertificateIssuer {
  /** The certificate of this `name`, made if it does not exist or nears its end. The first DNS name is its CN. */
  issue(name: string, dnsNames: readonly string[], signal: AbortSignal): Promise<IssuedCertificate>;
  /** The certificate of this name is needed no more. One that was never issued is fine. */
  forget(name: string, signal: AbortSignal): Promise<void>;
}

/** Publishes the issuers of clusters' service account tokens, so that Azure can check these. */
export interface OidcIssuer {
  /** The length of new signing keys. */
  readonly keyBits: number;
  /** The issuer whose documents are published under `name`. */
  urlOf(name: string): string;
  /** Publishes documents, JSON values by their path below the issuer, in the place of earlier ones. */
  publish(
    name: string,
    documents: Readonly<Record<string, object>>,
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<void>;
  /** What is not there is fine. */
  remove(
    name: string,
    paths: readonly string[],
    connection: AzureConnection,
    signal: AbortSignal,
  ): Promise<void>;
}

/** What it takes to have clusters with managed identities. */
export interface ManagedIdentities {
  /** What makes the service act as a cluster's identity, from the data plane of managed identities. */
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

/** The service's own networks, as far as clusters are connected with them. IDs are resource IDs. */
export interface ServiceNetwork {
  /** Where the private endpoints are by which the service reaches clusters. */
  readonly privateEndpointSubnetId: string;
  /** Where the service itself is. */
  readonly serviceSubnetId: string;
  /** Where Hive runs the installer, if it does. */
  readonly hiveSubnetId?: string;
  /** What clusters reach the service's other parts through, and the subnet it is in. */
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
  /** Where it answers, for example `name.azurecr.io`. */
  readonly domain: string;
}

/** What the work on clusters needs from the outside: the only place that knows where it runs. */
export interface ClusterEnvironment {
  /** The region that this service serves. */
  readonly location: string;
  /** The DNS zone of its clusters, for example `westeurope.example.org`. */
  readonly domain: string;
  /** The service's own resource group, which holds the zone, and the subscription it is in. */
  readonly resourceGroup: string;
  readonly subscriptionId: string;
  readonly network: ServiceNetwork;
  /** Absent where clusters pull with their customers' own credentials. */
  readonly registry?: ContainerRegistry;
  /** True where customers keep their rights in the managed groups. */
  readonly disableDenyAssignments?: boolean;
  readonly azure: AzureEnvironment;
  /** As the service's own application, in the tenant of that subscription. */
  connectAzure(subscriptionId: string, connection: AzureConnection): AzureClients;
  connectAzureAs(
    credential: AzurePrincipal,
    subscriptionId: string,
    connection: AzureConnection,
  ): AzureClients;
  tenantIdOf(subscription: SubscriptionDocument): string;
  readonly installer: Installer;
  /** Absent where no Hive looks after clusters. */
  readonly hive?: Hive;
  readonly certificateIssuer: CertificateIssuer;
  /** Absent where no clusters with managed identities are made. */
  readonly managedIdentities?: ManagedIdentities;
  /** The image of the operator that is put into clusters; `keelson:latest` when absent. */
  readonly operatorImage?: string;
  /**
   * How long rights and secrets may take to reach every replica of Azure, and the wait between two tries:
   * 10 minutes and 30 seconds in the public cloud.
   */
  readonly authorizationRetry: { readonly everyMs: number; readonly forMs: number };
}
