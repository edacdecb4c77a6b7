import { type AzureClients, connectAzure } from "@keelson/azure";
import { type Logger, Secret } from "@keelson/base";
import { embedded } from "../state/embedded-defaults.ts";
import type { Identity } from "../state/identity.ts";

export interface SimulatedConnection {
  readonly url: string;
  readonly caPem: string;
  readonly identity: Identity;
  readonly logger: Logger;
}

/** Returns the endpoints and credentials with which the service's application signs in to the simulated Azure. */
export function serviceSignIn({ url, caPem, identity }: SimulatedConnection) {
  const { clientId, clientSecret } = identity.firstParty;
  return {
    environment: { armEndpoint: url, loginEndpoint: url, audience: embedded.audience, caPem },
    credential: { tenantId: identity.tenantId, clientId, clientSecret: new Secret(clientSecret) },
  };
}

/** Signs in to the simulated Azure as the service's application. */
export function connectService(connection: SimulatedConnection): AzureClients {
  const { identity, logger } = connection;
  return connectAzure({ ...serviceSignIn(connection), subscriptionId: identity.subscriptionId, logger });
}
