import type { Secret } from "@keelson/base";

/** Where one Azure cloud answers. */
export interface AzureEnvironment {
  /** Base URL of Azure Resource Manager, for example `https://management.azure.com`. */
  readonly armEndpoint: string;
  /** Base URL of the identity provider, for example `https://login.microsoftonline.com`. */
  readonly loginEndpoint: string;
  /** The resource that ARM tokens are for, for example `https://management.azure.com/`. */
  readonly audience: string;
  /** Certificate authorities (PEM) to trust for both endpoints, instead of the public ones. */
  readonly caPem?: string;
  /** Wait between two looks at a long-running operation that names no `Retry-After`; 2,000 when absent. */
  readonly pollIntervalMs?: number;
}

/** An application that signs in with a client secret. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}
