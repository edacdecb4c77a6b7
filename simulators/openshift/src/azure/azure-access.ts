import { type AzureClients, type AzurePrincipal, connectAzure } from "@keelson/azure";
import type { Logger } from "@keelson/base";

/** The simulated Azure. */
export interface CloudEndpoint {
  /** ARM endpoint and authority host. */
  readonly url: string;
  readonly caPem: string;
}

/** Audience of tokens for Azure Resource Manager. */
const audience = "https://management.azure.com/";

/** Poll interval. The simulated Azure completes its operations within fractions of a second. */
const pollIntervalMs = 100;

/**
 * Azure access of one cluster. Clients are created on demand and cached with their token until the cluster's
 * credentials change.
 */
export class AzureAccess {
  readonly #endpoint: CloudEndpoint;
  readonly #subscriptionId: string;
  readonly #logger: Logger;
  #last: { readonly principal: AzurePrincipal; readonly clients: AzureClients } | undefined;

  constructor(endpoint: CloudEndpoint, subscriptionId: string, logger: Logger) {
    this.#endpoint = endpoint;
    this.#subscriptionId = subscriptionId;
    this.#logger = logger;
  }

  /** CA of the endpoint. */
  get caPem(): string {
    return this.#endpoint.caPem;
  }

  connect(principal: AzurePrincipal): AzureClients {
    if (this.#last && samePrincipal(this.#last.principal, principal)) return this.#last.clients;
    const { url, caPem } = this.#endpoint;
    const clients = connectAzure({
      environment: { armEndpoint: url, loginEndpoint: url, audience, pollIntervalMs, caPem },
      credential: principal,
      subscriptionId: this.#subscriptionId,
      logger: this.#logger,
    });
    this.#last = { principal, clients };
    return clients;
  }
}

/** The token source of a managed identity is not compared, only its identity. */
function samePrincipal(a: AzurePrincipal, b: AzurePrincipal): boolean {
  if (a.tenantId !== b.tenantId || a.clientId !== b.clientId) return false;
  if ("clientSecret" in a) return "clientSecret" in b && a.clientSecret.equals(b.clientSecret);
  return "assertion" in a && "assertion" in b;
}
