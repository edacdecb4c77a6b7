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
  /** Throws to forbid a request, as for an operator that leads no more. */
  readonly fence?: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of one operator, all its controllers together: Azure's own limits are for the whole subscription. */
const requestRate = { perSecond: 10, burst: 50 };

/** How one operator reaches Azure: signed in as its pod's environment says, when first asked for. */
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

  /** The application that the operator signs in as; empty where the environment does not say. */
  get clientId(): string {
    return this.#options.environment.AZURE_CLIENT_ID ?? "";
  }

  /** Clients of the cluster's subscription, which share their tokens. @throws AzureNotConfigured */
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
   * A token for Microsoft Graph that is no older than this call: the identity provider says whether the credentials are
   * still good. @throws AzureNotConfigured, InvalidCredentials, IdentityProviderUnavailable
   */
  async newGraphToken({ spec }: AroCluster, signal: AbortSignal): Promise<string> {
    const clients = await this.#connect(spec);
    await this.#turn(signal);
    const { graphAudience } = await azureCloud(spec?.azEnvironment ?? "", this.#options.environment);
    return clients.getToken(signal, graphAudience);
  }

  /**
   * Requests to Microsoft Graph, whose paths take the place of resource IDs; `undefined` in a private cloud that does
   * not say where its own is. @throws AzureNotConfigured
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
