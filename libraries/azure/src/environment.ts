import type { Secret } from "@keelson/base";

/** Endpoints of an Azure cloud. */
export interface AzureEnvironment {
  /** Base URL of Azure Resource Manager, for example `https://management.azure.com`. */
  readonly armEndpoint: string;
  /** Base URL of the identity provider, for example `https://login.microsoftonline.com`. */
  readonly loginEndpoint: string;
  /** The resource that ARM tokens are for, for example `https://management.azure.com/`. */
  readonly audience: string;
  /** Base URL of Microsoft Graph in a custom cloud. */
  readonly graphEndpoint?: string;
  /** Resource for tokens of Microsoft Graph. Default: `https://graph.microsoft.com/`. */
  readonly graphAudience?: string;
  /** CA certificates (PEM) for both endpoints, instead of the public ones. */
  readonly caPem?: string;
  /** Poll interval of a long-running operation without `Retry-After`. Default: 2,000. */
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
  /** Private key and certificates in PEM, the principal's own certificate first. */
  readonly certificate: Secret;
  /** Identity provider of the principal. Default: that of the environment. */
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
