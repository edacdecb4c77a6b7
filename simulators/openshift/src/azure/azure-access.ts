import { type AzureClients, type AzurePrincipal, connectAzure } from "@keelson/azure";
import type { Logger } from "@keelson/base";
import type { PlatformSettings } from "../settings/cluster-settings.ts";

/** The simulated Azure finishes its operations within fractions of a second. */
const pollIntervalMs = 100;

/**
 * One cluster's way to Azure. The clients are made when first needed and kept, with their token, until the
 * cluster's credentials change.
 */
export class AzureAccess {
  readonly #platform: PlatformSettings;
  readonly #logger: Logger;
  #last: { readonly principal: AzurePrincipal; readonly clients: AzureClients } | undefined;

  constructor(platform: PlatformSettings, logger: Logger) {
    this.#platform = platform;
    this.#logger = logger;
  }

  connect(principal: AzurePrincipal): AzureClients {
    if (this.#last && samePrincipal(this.#last.principal, principal)) return this.#last.clients;
    const { armEndpoint, loginEndpoint, audience, caPem, subscriptionId } = this.#platform;
    const clients = connectAzure({
      environment: { armEndpoint, loginEndpoint, audience, pollIntervalMs, ...(caPem ? { caPem } : {}) },
      credential: principal,
      subscriptionId,
      logger: this.#logger,
    });
    this.#last = { principal, clients };
    return clients;
  }
}

/** A managed identity gets its tokens from wherever it is: only who it is counts. */
function samePrincipal(a: AzurePrincipal, b: AzurePrincipal): boolean {
  if (a.tenantId !== b.tenantId || a.clientId !== b.clientId) return false;
  if ("clientSecret" in a) return "clientSecret" in b && a.clientSecret.equals(b.clientSecret);
  return "assertion" in a && "assertion" in b;
}
