import type { AzureClients, AzureEnvironment, ServicePrincipal } from "@keelson/azure";
import type { KeyPair, Logger } from "@keelson/base";
import type { SubscriptionDocument } from "@keelson/model";
import type { Installer } from "./installers/installer.ts";

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
  readonly azure: AzureEnvironment;
  /** As the service's own application, in the tenant of that subscription. */
  connectAzure(subscriptionId: string, connection: AzureConnection): AzureClients;
  connectAzureAs(
    credential: ServicePrincipal,
    subscriptionId: string,
    connection: AzureConnection,
  ): AzureClients;
  tenantIdOf(subscription: SubscriptionDocument): string;
  readonly installer: Installer;
  readonly certificateIssuer: CertificateIssuer;
  /** The image of the operator that is put into clusters; `keelson:latest` when absent. */
  readonly operatorImage?: string;
  /**
   * How long rights and secrets may take to reach every replica of Azure, and the wait between two tries:
   * 10 minutes and 30 seconds in the public cloud.
   */
  readonly authorizationRetry: { readonly everyMs: number; readonly forMs: number };
}
