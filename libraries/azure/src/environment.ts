import type { Secret } from "@keelson/base";

/** Where one Azure cloud answers. */
export interface AzureEnvironment {
  /** Base URL of Azure Resource Manager, for example `https://management.azure.com`. */
  readonly armEndpoint: string;
  /** Base URL of the identity provider, for example `https://login.microsoftonline.com`. */
  readonly loginEndpoint: string;
  /** The resource that ARM tokens are for, for example `https://management.azure.com/`. */
  readonly audience: string;
  /** Base URL of Microsoft Graph, where the cloud has one that its name does not say. */
  readonly graphEndpoint?: string;
  /** The resource that tokens for Microsoft Graph are for; `https://graph.microsoft.com/` when absent. */
  readonly graphAudience?: string;
  /** Certificate authorities (PEM) to trust for both endpoints, instead of the public ones. */
  readonly caPem?: string;
  /** Polling interval of a long-running operation without `Retry-After`; 2,000 when absent. */
  readonly pollIntervalMs?: number;
}

/** An application that signs in with a client secret. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** An application or managed identity that signs in with a certificate. */
export interface CertificatePrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  /** The private key and the certificates, the principal's own first: PEM. */
  readonly certificate: Secret;
  /** The authority that knows the principal, where it is not that of the environment. */
  readonly loginEndpoint?: string;
}

/** A managed identity that signs in with tokens of an issuer that one of its federated credentials trusts. */
export interface FederatedPrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  /** A fresh token of that issuer. */
  readonly assertion: () => Promise<string>;
}

export type AzurePrincipal = ServicePrincipal | CertificatePrincipal | FederatedPrincipal;
