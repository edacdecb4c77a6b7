import { type AzureClients, type AzurePrincipal, connectAzure } from "@keelson/azure";
import type { Logger } from "@keelson/base";

/** Endpoint of the simulated Azure. */
export interface CloudEndpoint {
  /** URL that is both the ARM endpoint and the authority host for tokens. */
  readonly url: string;
  readonly caPem: string;
}

/** Token audience of Azure Resource Manager. */
const audience = "https://management.azure.com/";

/** Poll interval in milliseconds. Operations of the simulated Azure complete within a second. */
const pollIntervalMs = 100;

/** Azure clients of one cluster. They are created on demand and cached until the cluster's credentials change. */
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

  /** CA certificate of the endpoint. */
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

/** True if both credentials belong to the same identity. Managed identities are compared without their token sources. */
function samePrincipal(a: AzurePrincipal, b: AzurePrincipal): boolean {
  if (a.tenantId !== b.tenantId || a.clientId !== b.clientId) return false;
  if ("clientSecret" in a) return "clientSecret" in b && a.clientSecret.equals(b.clientSecret);
  return "assertion" in a && "assertion" in b;
}
