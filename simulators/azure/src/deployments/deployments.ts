import { randomUUID } from "node:crypto";
import { type JsonObject, type Logger, messageOf } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { requireObject } from "../arm/drafts.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import { page } from "../arm/paging.ts";
import { methodNotAllowed, noRoute, only } from "../arm/refusals.ts";
import { requireGroup } from "../arm/resource-groups.ts";
import { checkApiVersion } from "../arm/router.ts";
import { timestamp } from "../arm/subscription.ts";
import { requireSubscription } from "../arm/subscription-routes.ts";
import { authorize } from "../authorization/enforcement/enforcement.ts";
import { members, nonEmptyStringAt } from "../base/json.ts";
import type { ClientRequest } from "../resource-provider/provider-front.ts";
import { ArmCalls, type Deployer, type RequestHandler } from "./arm-calls.ts";
import { conduct } from "./conduct.ts";
import { type Deployment, isOver, renderDeployment, renderOperation } from "./deployment.ts";
import { readDeployment } from "./deployment-request.ts";
import type { DeploymentSubscription } from "./deployment-subscription.ts";
import type { DeploymentWork } from "./history.ts";
import { type Place, scopeId } from "./language/context.ts";
import { inTurns } from "./parts.ts";
import { type DeploymentPath, parseDeploymentPath } from "./paths/deployment-path.ts";
import { checkPoliciesAhead } from "./policy-preflight.ts";
import { type AskProvider, preflight } from "./preflight.ts";
import { deploymentId, prepare, providersOf, shownDependencies } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import { requireRoom, trimHistory } from "./quota.ts";
import { begun } from "./run.ts";
import { RuntimeLookups } from "./runtime-lookups.ts";
import { whatIf } from "./what-if.ts";

export interface DeploymentsDeps {
  readonly subscription: DeploymentSubscription;
  readonly respond: RequestHandler;
  /** Sends a request to the resource provider. Undefined if no external resource provider is configured. */
  readonly askProvider: AskProvider | undefined;
  readonly logger: Logger;
}

interface Running {
  readonly cancel: AbortController;
  readonly ended: Promise<void>;
}

/** Maximum time in ms for which a status request waits. Most simulated deployments complete within this time. */
const nearEndMs = 500;

/** Template deployments, from request to result. */
export class Deployments {
  readonly #subscription: DeploymentSubscription;
  readonly #calls: ArmCalls;
  readonly #askProvider: AskProvider | undefined;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Running>();

  constructor({ subscription, respond, askProvider, logger }: DeploymentsDeps) {
    this.#subscription = subscription;
    this.#calls = new ArmCalls(respond, subscription.clock);
    this.#askProvider = askProvider;
    this.#logger = logger;
  }

  /** Resumes the deployments of a previous process. */
  start(): void {
    for (const work of this.#subscription.deployments.work()) this.#resume(work);
  }

  /** Handles a deployment request. @throws ArmError */
  async respond(request: ArmRequest, client: ClientRequest): Promise<ArmResponse> {
    checkApiVersion(request);
    const path = parseDeploymentPath(request.segments);
    if (!path) throw noRoute(request);
    this.#subscription.store.transaction(() => authorize(this.#subscription, request));
    requireSubscription(this.#subscription, path.subscriptionId);
    const place: Place = {
      subscriptionId: this.#subscription.subscriptionId,
      group: path.group === undefined ? undefined : requireGroup(this.#subscription, path.group).name,
    };
    const response = await this.#route(request, client, path, place);
    await this.#subscription.store.durable();
    return response;
  }

  /** Prevents the start of further writes. The next process resumes the deployments. */
  stop(): void {
    this.#stop.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #route(
    request: ArmRequest,
    client: ClientRequest,
    { name, action, id }: DeploymentPath,
    place: Place,
  ): Promise<ArmResponse> {
    if (name === undefined) return only(request, "GET", () => this.#list(request, place));
    const at = deploymentId(place, name);
    switch (action) {
      case undefined:
        return this.#one(request, client, place, name);
      case "validate":
        requireMethod(request, "POST");
        return this.#validate(request, client, place, name);
      case "whatif":
        requireMethod(request, "POST");
        return this.#whatIf(request, client, place, name);
      case "cancel":
        return only(request, "POST", () => this.#cancel(this.#require(at)));
      case "exporttemplate":
        return only(request, "POST", () =>
          ok({ template: this.#subscription.deployments.templateOf(this.#require(at).id) ?? {} }),
        );
      case "operations":
        return only(request, "GET", () => this.#operations(request, this.#require(at), id));
      case "operationstatuses":
        requireMethod(request, "GET");
        return this.#status(id ?? "");
    }
    throw noRoute(request);
  }

  async #one(request: ArmRequest, client: ClientRequest, place: Place, name: string): Promise<ArmResponse> {
    const id = deploymentId(place, name);
    const found = this.#subscription.deployments.find(id);
    switch (request.method) {
      case "GET":
        return ok(renderDeployment(this.#require(id)));
      case "HEAD":
        return { status: found ? 204 : 404 };
      case "PUT":
        return this.#put(request, client, place, name);
      case "DELETE":
        if (!found) return { status: 204 };
        if (!isOver(found)) throw stillActive(found);
        this.#subscription.store.transaction(() => this.#subscription.deployments.delete(id));
        return { status: 204 };
    }
    throw methodNotAllowed(request);
  }

  async #put(request: ArmRequest, client: ClientRequest, place: Place, name: string): Promise<ArmResponse> {
    const subscription = this.#subscription;
    this.#requireIdle(deploymentId(place, name));
    requireRoom(subscription, place, deploymentId(place, name), name);
    const { body, prepared, deployer } = await this.#prepare(request, client, place, name);
    this.#requireIdle(prepared.id);
    const existing = subscription.deployments.find(prepared.id);
    const runId = randomUUID();
    const location = nonEmptyStringAt(body, "location");
    const entry: Deployment = {
      ...begun(subscription, prepared, deployer.correlationId, runId),
      ...(existing ? { id: existing.id, name: existing.name } : {}),
      ...(location ? { location } : {}),
      ...(body.tags === undefined ? {} : { tags: members(body.tags) }),
    };
    const work: DeploymentWork = { id: prepared.id, runId, deployer, parameters: prepared.parameters };
    subscription.store.transaction(() =>
      subscription.deployments.begin(entry, prepared.template.source, work),
    );
    this.#run(work, async () => prepared);
    const status = `${request.baseUrl}${prepared.id}/operationStatuses/${runId}`;
    const version = new URLSearchParams({ "api-version": request.query.get("api-version") ?? "" });
    return {
      status: existing ? 200 : 201,
      body: renderDeployment({ ...entry, state: "Accepted" }),
      headers: { "azure-asyncoperation": `${status}?${version}`, "retry-after": "1" },
    };
  }

  /** Prepares a deployment: validates the template and runs the preflight of the resource provider. */
  async #prepare(
    request: ArmRequest,
    client: ClientRequest,
    place: Place,
    name: string,
  ): Promise<{ readonly body: JsonObject; readonly prepared: Prepared; readonly deployer: Deployer }> {
    const deployer = deployerOf(request, client);
    this.#subscription.store.transaction(() => trimHistory(this.#subscription, place, deployer));
    const body = requireObject(request.body);
    const asked = readDeployment(body, place, name, request.baseUrl);
    const prepared = await inTurns(prepare(this.#subscription, asked));
    await inTurns(checkPoliciesAhead(this.#subscription, prepared, deployer));
    await preflight(prepared, deployer, this.#askProvider);
    return { body, prepared, deployer };
  }

  async #validate(
    request: ArmRequest,
    client: ClientRequest,
    place: Place,
    name: string,
  ): Promise<ArmResponse> {
    const { prepared, deployer } = await this.#prepare(request, client, place, name);
    return ok({
      id: prepared.id,
      name,
      type: "Microsoft.Resources/deployments",
      properties: {
        templateHash: prepared.hash,
        parameters: prepared.shownParameters,
        mode: prepared.mode,
        provisioningState: "Succeeded",
        timestamp: timestamp(this.#subscription),
        duration: "PT0S",
        correlationId: deployer.correlationId,
        providers: providersOf(prepared),
        dependencies: shownDependencies(prepared),
        validatedResources: prepared.resources
          .filter((each) => !each.skipped && !each.existing)
          .map(({ id }) => ({ id })),
      },
    });
  }

  async #whatIf(
    request: ArmRequest,
    client: ClientRequest,
    place: Place,
    name: string,
  ): Promise<ArmResponse> {
    const { body, prepared, deployer } = await this.#prepare(request, client, place, name);
    const format =
      nonEmptyStringAt(body, "properties", "whatIfSettings", "resultFormat") === "ResourceIdOnly"
        ? "ResourceIdOnly"
        : "FullResourcePayloads";
    const changes = await whatIf(this.#subscription, this.#calls, prepared, deployer, format);
    return ok({ status: "Succeeded", properties: { correlationId: deployer.correlationId, changes } });
  }

  #list(request: ArmRequest, place: Place): ArmResponse {
    const state = /^provisioningState eq '(\w+)'$/i.exec(request.query.get("$filter") ?? "")?.[1];
    const rows = this.#subscription.deployments
      .below(scopeId(place))
      .filter((each) => state === undefined || each.state.toLowerCase() === state.toLowerCase());
    return page(request, rows, ({ id }) => id.toLowerCase(), renderDeployment, this.#subscription.pageSize);
  }

  #operations(request: ArmRequest, deployment: Deployment, id: string | undefined): ArmResponse {
    const { operations } = deployment;
    if (id === undefined) {
      const render = (each: (typeof operations)[number]) => renderOperation(deployment, each);
      return page(request, operations, (each) => each.id, render, this.#subscription.pageSize);
    }
    const found = operations.find((each) => each.id.toLowerCase() === id.toLowerCase());
    if (found) return ok(renderOperation(deployment, found));
    throw new ArmError(
      404,
      "DeploymentOperationNotFound",
      `The deployment operation '${id}' could not be found.`,
    );
  }

  /** Returns the status of a run. Waits briefly for the result, because clients send at most one poll per second. */
  async #status(runId: string): Promise<ArmResponse> {
    await this.#nearEnd(runId);
    const deployment = this.#subscription.deployments.findRun(runId);
    if (!deployment) {
      throw new ArmError(404, "OperationNotFound", `The operation '${runId}' was not found.`);
    }
    const { state, error } = deployment;
    if (!isOver(deployment)) return { ...ok({ status: state }), headers: { "retry-after": "1" } };
    return ok({ status: state, ...(error === undefined ? {} : { error }) });
  }

  async #nearEnd(runId: string): Promise<void> {
    const running = this.#running.get(runId);
    if (!running) return;
    const wait = new AbortController();
    const ended = running.ended.then(() => wait.abort());
    await this.#subscription.clock.sleep(nearEndMs, wait.signal).catch(() => ended);
  }

  #cancel(deployment: Deployment): ArmResponse {
    const subscription = this.#subscription;
    if (isOver(deployment)) {
      throw new ArmError(
        409,
        "DeploymentCannotBeCancelled",
        `The deployment '${deployment.name}' cannot be cancelled because its provisioning state is '${deployment.state}'.`,
      );
    }
    const error = {
      code: "DeploymentCanceled",
      message: `The deployment '${deployment.name}' was canceled.`,
    };
    subscription.store.transaction(() => {
      for (const each of subscription.deployments.partsOf(deployment)) {
        subscription.deployments.change(each.runId, each.id, {
          state: "Canceled",
          timestamp: timestamp(subscription),
          error,
        });
        subscription.deployments.endWork(each.runId, each.id);
      }
    });
    this.#running.get(deployment.runId)?.cancel.abort();
    return { status: 204 };
  }

  #require(id: string): Deployment {
    const found = this.#subscription.deployments.find(id);
    if (found) return found;
    throw new ArmError(
      404,
      "DeploymentNotFound",
      `Deployment '${id.slice(id.lastIndexOf("/") + 1)}' could not be found.`,
    );
  }

  #requireIdle(id: string): void {
    const found = this.#subscription.deployments.find(id);
    if (found && !isOver(found)) throw stillActive(found);
  }

  #resume(work: DeploymentWork): void {
    const entry = this.#subscription.deployments.find(work.id);
    this.#run(work, async () => {
      if (entry?.runId !== work.runId)
        throw new ArmError(404, "DeploymentNotFound", "The deployment no longer exists.");
      const [, , subscriptionId = "", kind, group] = entry.id.split("/");
      const place = { subscriptionId, group: kind === "resourceGroups" ? group : undefined };
      const given = Object.entries(work.parameters).map(([name, value]) => [name, { value: value ?? null }]);
      const asked = {
        name: entry.name,
        place,
        location: entry.location,
        mode: entry.mode,
        template: this.#subscription.deployments.templateOf(entry.id),
        parameters: Object.fromEntries(given),
        baseUrl: work.deployer.baseUrl,
      };
      return inTurns(prepare(this.#subscription, asked));
    });
  }

  #run(work: DeploymentWork, prepared: () => Promise<Prepared>): void {
    const { runId } = work;
    const cancel = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, cancel.signal]);
    const ended = this.#conduct(work, prepared, signal).finally(() => this.#running.delete(runId));
    this.#running.set(runId, { cancel, ended });
  }

  async #conduct(
    { id, runId, deployer }: DeploymentWork,
    prepare: () => Promise<Prepared>,
    signal: AbortSignal,
  ): Promise<void> {
    const deps = {
      subscription: this.#subscription,
      history: this.#subscription.deployments,
      calls: this.#calls,
    };
    try {
      const prepared = await this.#orFailed(runId, id, prepare);
      signal.throwIfAborted();
      await conduct(deps, { runId, prepared, deployer, signal }, new RuntimeLookups(this.#calls, deployer));
    } catch (error) {
      if (!(error instanceof ArmError) && !signal.aborted) {
        this.#logger.error({ deployment: id, error: messageOf(error) }, "deployment failed");
      }
    }
    if (this.#stop.signal.aborted) return;
    this.#subscription.store.transaction(() => this.#subscription.deployments.endWork(runId, id));
    await this.#subscription.store.durable();
  }

  /**
   * Calls `prepare` for a resumed deployment. If the template is no longer valid, marks the deployment as failed and throws the
   * error.
   */
  async #orFailed(runId: string, id: string, prepare: () => Promise<Prepared>): Promise<Prepared> {
    try {
      return await prepare();
    } catch (error) {
      if (error instanceof ArmError) {
        const { error: failure = null } = error.body();
        const changes = {
          state: "Failed",
          timestamp: timestamp(this.#subscription),
          error: failure,
        } as const;
        this.#subscription.store.transaction(() => this.#subscription.deployments.change(runId, id, changes));
      }
      throw error;
    }
  }
}

function requireMethod(request: ArmRequest, method: string): void {
  if (request.method !== method) throw methodNotAllowed(request);
}

function deployerOf({ principal, baseUrl }: ArmRequest, client: ClientRequest): Deployer {
  const { identityUrl, correlationId = randomUUID() } = client;
  return { principal, baseUrl, identityUrl, correlationId };
}

function stillActive({ name, startedAt }: Deployment): ArmError {
  return new ArmError(
    409,
    "DeploymentActive",
    `Unable to edit or replace deployment '${name}': previous deployment from '${startedAt}' is still active. Please see https://aka.ms/arm-deployment-operations for usage details.`,
  );
}
