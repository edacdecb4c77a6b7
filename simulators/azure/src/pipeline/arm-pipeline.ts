import type { JsonObject, Logger } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import { operationIdOf } from "../arm/group-job.ts";
import { latencyOf } from "../arm/latency.ts";
import { RateLimits } from "../arm/rate-limits.ts";
import { handle } from "../arm/router.ts";
import { Deployments } from "../deployments/deployments.ts";
import { parseDeploymentPath } from "../deployments/paths/deployment-path.ts";
import { ConnectionDropped, injectBefore } from "../faults/connection.ts";
import type { Injection } from "../faults/effects.ts";
import { armSubject } from "../faults/subject.ts";
import { type ActivityOutcome, recordActivity } from "../insights/activity-log.ts";
import { isActivityLog, serviceEvents } from "../insights/service-events.ts";
import { clusterHealth, parseClusterHealthPath } from "../resource-health/cluster-health.ts";
import {
  type ClientRequest,
  isProviders,
  isProvidersTags,
  isRegistration,
  type ProviderFront,
} from "../resource-provider/provider-front.ts";
import type { SimulatedSubscription } from "./simulated-subscription.ts";

/**
 * Entry point for all ARM requests of clients and deployments. Forwards each request to the resource provider, to the deployments
 * or to the subscription.
 */
export class ArmPipeline {
  readonly #subscription: SimulatedSubscription;
  readonly #provider: ProviderFront | undefined;
  readonly #deployments: Deployments;
  readonly #limits = new RateLimits();
  readonly #stop = new AbortController();

  constructor(subscription: SimulatedSubscription, provider: ProviderFront | undefined, logger: Logger) {
    this.#subscription = subscription;
    this.#provider = provider;
    this.#deployments = new Deployments({
      subscription,
      respond: (request, client) => this.#respondUnder(this.#draw(request, true), request, client),
      askProvider: provider && ((target, body, deployer) => provider.preflight(target, body, deployer)),
      logger,
    });
  }

  /** Resumes the deployments of a previous process. */
  start(): void {
    this.#deployments.start();
  }

  /** Stops deployments from starting new writes. Disposal waits for running writes. */
  stop(): void {
    this.#stop.abort();
    this.#deployments.stop();
  }

  /** Handles a request. Resolves when all its writes are on disk. @throws ArmError */
  async respond(request: ArmRequest, client: ClientRequest): Promise<ArmResponse> {
    const limits = this.#limits.take(this.#subscription, request.principal, request.method);
    const injection = this.#draw(request, false);
    await injectBefore(this.#subscription, injection, this.#stop.signal);
    const answered = this.#respondUnder(injection, request, client);
    if (injection.drop) {
      await answered.catch(() => undefined);
      throw new ConnectionDropped();
    }
    const response = await answered;
    return { ...response, headers: { ...limits, ...response.headers } };
  }

  #draw({ method, segments, principal }: ArmRequest, isInner: boolean): Injection {
    const { faults, registry } = this.#subscription;
    return faults.draw(armSubject(registry, { method, segments, clientId: principal.clientId }), isInner);
  }

  /** Handles a request of a client or a deployment and records its result in the activity log. */
  async #respondUnder(
    injection: Injection,
    request: ArmRequest,
    client: ClientRequest,
  ): Promise<ArmResponse> {
    const record = (outcome: ActivityOutcome) =>
      recordActivity(this.#subscription, request, client.correlationId ?? "", outcome);
    try {
      const response = await this.#route(injection, request, client);
      record({ status: response.status });
      return response;
    } catch (error) {
      if (error instanceof ArmError) record({ status: error.status, error });
      throw error;
    }
  }

  async #route(
    { refusal, outcome }: Injection,
    given: ArmRequest,
    client: ClientRequest,
  ): Promise<ArmResponse> {
    if (refusal) throw refusal;
    const request = outcome ? { ...given, outcome } : given;
    const { segments } = request;
    const { clock } = this.#subscription;
    const latencyMs = latencyOf(this.#subscription, request);
    if (latencyMs > 0) await clock.sleep(latencyMs, this.#stop.signal);
    if (this.#provider && isProviders(segments))
      return this.#provider.forward(request, client, this.#stop.signal);
    if (this.#provider && isProvidersTags(segments)) return this.#provider.tags(request, client);
    const health = parseClusterHealthPath(segments);
    if (this.#provider && health && request.method === "GET") {
      return clusterHealth(health, request, client, {
        subscription: this.#subscription,
        provider: this.#provider,
      });
    }
    if (parseDeploymentPath(segments)) return this.#deployments.respond(request, client);
    await this.#operationNearEnd(segments);
    const foreign = await this.#foreignResources(request);
    const response = handle(this.#subscription, foreign ? { ...request, foreign } : request);
    await this.#subscription.store.durable();
    // Ignores errors of the notification, because the provider is notified again before the next request to it.
    if (isRegistration(segments)) await this.#provider?.announce().catch(() => undefined);
    return response;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#deployments[Symbol.asyncDispose]();
  }

  /**
   * If an operation is about to complete, delays the response to a poll until the operation has completed. Without this delay,
   * the client would receive the result only with its next poll, at least a second later.
   */
  async #operationNearEnd(segments: readonly string[]): Promise<void> {
    const { timings, operations } = this.#subscription;
    const [kind = "", id = ""] = segments.slice(-2);
    if (timings.recordedPolls || !/^operation(s|results)$/i.test(kind)) return;
    await operations.nearEnd(operationIdOf(id));
  }

  /**
   * Returns the external resource provider's data for resource lists and for the activity log. If the provider is unavailable,
   * lists and log omit this data.
   */
  async #foreignResources(request: ArmRequest): Promise<readonly JsonObject[] | undefined> {
    const { method, segments } = request;
    if (this.#provider && isActivityLog(request))
      return serviceEvents(this.#provider, request).catch(() => undefined);
    const [, , kind = "", group, last = ""] = segments.map((each) => each.toLowerCase());
    const ofSubscription = kind === "resources" && segments.length === 3;
    const ofGroup = kind === "resourcegroups" && last === "resources" && segments.length === 5;
    const isList = method === "GET" && (ofSubscription || ofGroup);
    const isGroupDeletion = method === "DELETE" && kind === "resourcegroups" && segments.length === 4;
    if (!this.#provider || !(isList || isGroupDeletion)) return undefined;
    return this.#provider.clusters(ofSubscription ? undefined : group).catch(() => undefined);
  }
}
