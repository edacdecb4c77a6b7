import type { Secret } from "@keelson/base";

/** Endpoints of an Azure cloud. */
export interface AzureEnvironment {
  /** Base URL of Azure Resource Manager, for example `https://management.azure.com`. */
  readonly armEndpoint: string;
  /** Base URL of the identity provider, for example `https://login.microsoftonline.com`. */
  readonly loginEndpoint: string;
  /** Audience of ARM tokens, for example `https://management.azure.com/`. */
  readonly audience: string;
  /** Base URL of Microsoft Graph in a custom cloud. */
  readonly graphEndpoint?: string;
  /** Audience of Microsoft Graph tokens. Default: `https://graph.microsoft.com/`. */
  readonly graphAudience?: string;
  /** CA certificates (PEM) for both endpoints. Default: public CAs. */
  readonly caPem?: string;
  /** Poll interval in ms of a long-running operation without `Retry-After`. Default: 2,000 ms. */
  readonly pollIntervalMs?: number;
}

/** Application that signs in with a client secret. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** Application or managed identity that signs in with a certificate. */
export interface CertificatePrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  /** Private key and certificates in PEM. The principal's own certificate is first. */
  readonly certificate: Secret;
  /** Base URL of the principal's identity provider. Default: `loginEndpoint` of the environment. */
  readonly loginEndpoint?: string;
}

/** Managed identity that signs in with a federated credential. It presents tokens of an external issuer. */
export interface FederatedPrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  /** Returns a new token of the external issuer. */
  readonly assertion: () => Promise<string>;
}

export type AzurePrincipal = ServicePrincipal | CertificatePrincipal | FederatedPrincipal;
