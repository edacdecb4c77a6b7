import { AuthorizationManagementClient } from "@azure/arm-authorization";
import { ComputeManagementClient } from "@azure/arm-compute";
import { DnsManagementClient } from "@azure/arm-dns";
import { NetworkManagementClient } from "@azure/arm-network";
import { ResourceManagementClient } from "@azure/arm-resources";
import type { Logger } from "@keelson/base";
import { accessToken, scopeOf, secretCredential } from "./credential.ts";
import type { AzureEnvironment, ServicePrincipal } from "./environment.ts";
import { requestPolicy } from "./request-policy.ts";

export interface AzureConnectionOptions {
  readonly environment: AzureEnvironment;
  readonly credential: ServicePrincipal;
  readonly subscriptionId: string;
  /** Called before every try of every request; throws to forbid it, as for a worker that lost its lease. */
  readonly beforeRequest?: () => void;
  readonly correlationId?: string;
  readonly logger: Logger;
}

/** What every call of an SDK takes: the signal, and the wait between polls of a long-running operation. */
export interface CallOptions {
  readonly abortSignal: AbortSignal;
  readonly updateIntervalInMs: number;
}

/** The official clients of one subscription, signed in as one service principal. */
export interface AzureClients {
  readonly resources: ResourceManagementClient;
  readonly network: NetworkManagementClient;
  readonly compute: ComputeManagementClient;
  readonly dns: DnsManagementClient;
  readonly authorization: AuthorizationManagementClient;
  /** Pass this to every call. Abort stops waiting; what the service already accepted goes on there. */
  call(signal: AbortSignal): CallOptions;
  /** A bearer token for ARM. @throws InvalidCredentials, IdentityProviderUnavailable */
  getToken(signal: AbortSignal): Promise<string>;
}

/** Each SDK call is tried three times in all; longer waits belong to `armRetry`, where a step can be seen. */
const retryOptions = { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 };

/** Makes the clients; nothing is sent until one is called. */
export function connectAzure(options: AzureConnectionOptions): AzureClients {
  const { environment, subscriptionId } = options;
  const credential = secretCredential(environment, options.credential);
  const scope = scopeOf(environment.audience);
  const endpoint = environment.armEndpoint.replace(/\/+$/, "");
  const shared = {
    endpoint,
    retryOptions,
    additionalPolicies: [{ policy: requestPolicy(options), position: "perRetry" as const }],
    ...(environment.caPem ? { tlsOptions: { ca: environment.caPem } } : {}),
  };
  const modern = { ...shared, credentials: { scopes: [scope] } };
  const classic = { ...shared, $host: endpoint, credentialScopes: scope };
  return {
    resources: new ResourceManagementClient(credential, subscriptionId, modern),
    network: new NetworkManagementClient(credential, subscriptionId, modern),
    compute: new ComputeManagementClient(credential, subscriptionId, modern),
    dns: new DnsManagementClient(credential, subscriptionId, classic),
    authorization: new AuthorizationManagementClient(credential, subscriptionId, classic),
    call: (abortSignal) => ({ abortSignal, updateIntervalInMs: environment.pollIntervalMs ?? 2_000 }),
    getToken: (signal) => accessToken(credential, environment, options.credential.tenantId, signal),
  };
}
