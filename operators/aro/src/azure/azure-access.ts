import { parseResourceId } from "@keelson/arm";
import type { AroCluster } from "@keelson/aro-api";
import {
  type AzureClients,
  type AzureEnvironment,
  connectAzure,
  type RawRequests,
  signInBySecret,
} from "@keelson/azure";
import { type Clock, type Logger, timeLimit } from "@keelson/base";
import { TokenBucket } from "@keelson/controller";
import { azureCloud, graphEndpoint } from "./azure-cloud.ts";
import { azureErrors } from "./errors.ts";
import { type Environment, principalOf, usesWorkloadIdentity } from "./principal.ts";

export interface AzureAccessOptions {
  readonly environment: Environment;
  /** Throws to prevent a request, for example after the operator has lost its lease. */
  readonly fence?: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Rate limit that all controllers of an operator share. Azure's own limits apply to all requests in the subscription together.
 */
const requestRate = { perSecond: 10, burst: 50 };

/** Azure access of one operator. At the first request, the operator signs in with the principal in the pod's environment. */
export class AzureAccess {
  readonly #options: AzureAccessOptions;
  readonly #rate: TokenBucket;
  readonly #connections = new Map<string, Promise<AzureClients>>();

  constructor(options: AzureAccessOptions) {
    this.#options = options;
    this.#rate = new TokenBucket(requestRate, options.clock);
  }

  get usesWorkloadIdentity(): boolean {
    return usesWorkloadIdentity(this.#options.environment);
  }

  /** Application ID of the operator's principal. Empty if the environment does not set it. */
  get clientId(): string {
    return this.#options.environment.AZURE_CLIENT_ID ?? "";
  }

  /**
   * Returns the Azure clients for the cluster's subscription. All of them share their tokens.
   * @throws AzureNotConfigured
   */
  async clients({ spec }: AroCluster): Promise<AzureClients> {
    const name = JSON.stringify([spec?.azEnvironment, spec?.resourceId]);
    const connection = this.#connections.get(name) ?? this.#connect(spec);
    this.#connections.clear();
    this.#connections.set(name, connection);
    try {
      return await connection;
    } catch (error) {
      this.#connections.delete(name);
      throw error;
    }
  }

  /**
   * Requests a new Microsoft Graph token, so that the identity provider validates the current credentials.
   * @throws AzureNotConfigured, InvalidCredentials, IdentityProviderUnavailable
   */
  async newGraphToken({ spec }: AroCluster, signal: AbortSignal): Promise<string> {
    const clients = await this.#connect(spec);
    await this.#turn(signal);
    const { graphAudience } = await azureCloud(spec?.azEnvironment ?? "", this.#options.environment);
    return clients.getToken(signal, graphAudience);
  }

  /**
   * Returns a client for Microsoft Graph. Callers pass Graph paths instead of resource IDs. The result is `undefined` in a
   * private cloud without a configured Graph endpoint.
   * @throws AzureNotConfigured
   */
  async graph({ spec }: AroCluster): Promise<RawRequests | undefined> {
    const { environment } = this.#options;
    const { graphAudience = "", ...cloud } = await azureCloud(spec?.azEnvironment ?? "", environment);
    const endpoint = graphEndpoint(environment, graphAudience);
    if (endpoint === undefined) return undefined;
    return (await this.#connect(spec, { ...cloud, armEndpoint: endpoint, audience: graphAudience })).raw;
  }

  async #connect(spec: AroCluster["spec"], at?: AzureEnvironment): Promise<AzureClients> {
    const { environment, logger } = this.#options;
    const id = parseResourceId(spec?.resourceId ?? "");
    if (!id) {
      throw azureErrors.AzureNotConfigured(
        `spec.resourceId of the Cluster is '${spec?.resourceId ?? ""}', not the ID of a cluster`,
      );
    }
    const cloud = at ?? (await azureCloud(spec?.azEnvironment ?? "", environment));
    return connectAzure({
      environment: cloud,
      credential: signInBySecret(cloud, principalOf(environment)),
      subscriptionId: id.subscriptionId,
      beforeRequest: (signal) => this.#turn(signal),
      logger,
    });
  }

  async #turn(signal = timeLimit(60_000)): Promise<void> {
    const waitMs = this.#rate.reserveMs();
    if (waitMs > 0) await this.#options.clock.sleep(waitMs, signal);
    this.#options.fence?.();
  }
}
