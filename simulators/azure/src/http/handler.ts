import type { JsonValue } from "@keelson/base";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { pathSegments } from "../arm/arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import { audiences, cloudMetadata } from "../arm/metadata.ts";
import type { Principal } from "../arm/principal.ts";
import { inventoryOf } from "../audit/inventory.ts";
import { checkAccess, isCheckAccess } from "../authorization/check-access.ts";
import { asJson } from "../base/json.ts";
import { clockResponse } from "../clock/clock-response.ts";
import { serveSerialConsole } from "../compute/boot-diagnostics.ts";
import { claimsChallenge } from "../entra/claims-challenge.ts";
import { handleEntra } from "../entra/entra.ts";
import type { Page } from "../entra/page.ts";
import { handleGraph } from "../graph/graph.ts";
import { recordBoot } from "../hypervisor/boot-reports.ts";
import { isAdmin, streamVirtualMachines } from "../hypervisor/virtual-machine-stream.ts";
import { handleVault } from "../key-vault/vault-front.ts";
import { handleIdentities } from "../managed-identity/data-plane.ts";
import {
  isMachineInstance,
  isMachineToken,
  machineInstance,
  machineToken,
} from "../managed-identity/instance-metadata.ts";
import type { SimulatedSubscription } from "../pipeline/simulated-subscription.ts";
import { azureHost, azureLogin } from "../proxy/azure-hosts.ts";
import { startRecording } from "../request-log/recording.ts";
import { serviceOf } from "../request-log/service-of.ts";
import { RequestBody } from "../requests/request-body.ts";
import type { ClientRequest } from "../resource-provider/provider-front.ts";
import { isBlobRequest } from "../storage/blob-request.ts";
import { handleBlobs, handleWebsite } from "../storage/blobs.ts";
import { faultsResponse } from "./faults-response.ts";
import type { HandlerDeps } from "./handler-deps.ts";
import { underFaults } from "./under-faults.ts";

/** Routes a request to a simulated service by the request's path. Waits until the service's writes are durable. */
export async function handleRequest(
  deps: HandlerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ArmResponse | undefined> {
  const host = calledHost(request);
  const named = azureHost(host.replace(/:443$/, ""));
  const baseUrl = named ? `https://${host}` : (deps.publicUrl ?? `https://${host}`);
  const loginUrl = named ? azureLogin : baseUrl;
  const [path = "", query = ""] = (request.originalUrl || "/").split(/\?(.*)/s);
  const prefix = named?.prefix ?? "";
  const parameters = new URLSearchParams(query);
  const called = pathSegments(`${prefix}${path}`);
  const segments = isBlobRequest(deps.subscription, called, parameters, request)
    ? ["blobs", ...called]
    : called;
  const service = serviceOf(segments);
  record(deps, request, reply, { host, service });
  const body = new RequestBody(request.raw, request.originalUrl);
  // A fault can apply to one client only. For a sign-in, the client ID is in the request's form, so the form is read before
  // faults are selected.
  const form = service === "entra" ? await body.form() : new URLSearchParams();
  const call = { baseUrl, loginUrl, prefix, segments, parameters, body, form };
  return underFaults(deps, segments, form, request, reply, () => serve(deps, request, reply, call));
}

/** Adds a request to the log when its response ends. Requests to the simulator's own administration API are not logged. */
function record(
  { requestLog, unloggedReader, clock }: HandlerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { host, service }: { readonly host: string; readonly service: string },
): void {
  const isUnlogged =
    unloggedReader !== undefined &&
    request.method === "GET" &&
    request.headers["user-agent"] === unloggedReader;
  if (!requestLog || service === "simulation" || isUnlogged) return;
  const target = request.originalUrl || "/";
  startRecording(requestLog, { incoming: request.raw, outgoing: reply.raw, target, host, service, clock });
}

/** Parsed request with its base URLs. */
interface Call {
  /** Base URL to which the client sent its request: `https://host:port`. */
  readonly baseUrl: string;
  /** Sign-in URL that belongs to `baseUrl`. */
  readonly loginUrl: string;
  /** Path prefix of the called host, as in `AzureHost`. Empty for requests to the listener's own host. */
  readonly prefix: string;
  readonly segments: readonly string[];
  readonly parameters: URLSearchParams;
  readonly body: RequestBody;
  /** Form of a sign-in request. Empty for other requests. */
  readonly form: URLSearchParams;
}

async function serve(
  deps: HandlerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { baseUrl, loginUrl, prefix, segments, parameters, body, form }: Call,
): Promise<ArmResponse | undefined> {
  switch (segments[0]?.toLowerCase()) {
    case "metadata":
      if (segments[1]?.toLowerCase() === "endpoints" && request.method === "GET") {
        return cloudMetadata(baseUrl, parameters.get("api-version"));
      }
      if (isMachineToken(segments) && request.method === "GET") {
        return machineToken(deps.entra, { query: parameters, headers: request.headers, baseUrl });
      }
      if (isMachineInstance(segments) && request.method === "GET") {
        return machineInstance(deps.subscription, { query: parameters, headers: request.headers, baseUrl });
      }
      break;
    case "sim":
      return simulation(deps, segments, request, body, reply);
    case "identity": {
      const { method } = request;
      const { authorization } = request.headers;
      const asked = { method, authorization, body, baseUrl };
      return handleIdentities(deps.subscription, deps.entra.tokens, asked);
    }
    case "v1.0":
    case "beta": {
      const { method, headers } = request;
      const { authorization } = headers;
      return handleGraph(deps.entra, { method, segments, query: parameters, authorization, body, baseUrl });
    }
    case "vaults": {
      const { method, headers } = request;
      const asked = {
        method,
        segments: segments.slice(1),
        query: parameters,
        body,
        // The URL of a vault ends with the vault name on the listener's own host, but not on the vault's host name.
        vaultUrl: prefix === "" ? `${baseUrl}/vaults/${encodeURIComponent(segments[1] ?? "")}` : baseUrl,
        loginUrl,
      };
      return handleVault(deps.subscription, deps.entra.tokens, {
        ...asked,
        authorization: headers.authorization,
      });
    }
    case "blobs":
      return handleBlobs(
        deps.subscription,
        deps.entra.tokens,
        segments.slice(1),
        parameters,
        body,
        request,
        reply,
      );
    case "bootdiagnostics":
      return serveSerialConsole(deps.subscription, segments.slice(1), parameters, reply);
    case "web":
      return handleWebsite(deps.subscription, segments.slice(1), parameters, request, reply);
    case "subscriptions":
    case "providers":
    case "tenants": {
      if (isCheckAccess(segments)) {
        const { method, headers } = request;
        const asked = { method, authorization: headers.authorization, body };
        return checkAccess(deps.subscription, deps.entra.tokens, asked);
      }
      const principal = await authenticate(deps, request, baseUrl, loginUrl);
      const content = await body.json();
      const asked = armRequest(request, segments, parameters, baseUrl, principal, content);
      return deps.armPipeline.respond(asked, clientRequest(request, deps));
    }
    default: {
      const { method, headers } = request;
      const { authorization, cookie } = headers;
      const asked = { method, segments, query: parameters, form, authorization, cookie, baseUrl };
      const response = await handleEntra(deps.entra, asked);
      await deps.subscription.store.durable();
      if (response && "html" in response) return sendPage(reply, response);
      if (response) return response;
    }
  }
  throw new ArmError(404, "InvalidRequestUri", `There is nothing at '/${segments.join("/")}'.`);
}

function sendPage(reply: FastifyReply, { status, headers, html }: Page): undefined {
  reply.code(status).headers(headers).send(html);
}

function clientRequest(request: FastifyRequest, { subscription, ownUrl }: HandlerDeps): ClientRequest {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === "string" && /^[\w-]{1,64}$/.test(value) ? value : undefined;
  };
  return {
    target: request.originalUrl || "/",
    correlationId: header("x-ms-correlation-request-id"),
    clientRequestId: header("x-ms-client-request-id"),
    prefer: header("prefer"),
    identityUrl: `${ownUrl()}/identity/credentials?tid=${subscription.tenantId}`,
  };
}

/** Returns the validated `Host` header. Validation is necessary, because links and headers of the response contain the host. */
function calledHost(request: FastifyRequest): string {
  if (/^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(request.host)) return request.host;
  throw badRequest("InvalidHostName", "The 'Host' header of the request is invalid.");
}

async function simulation(
  deps: HandlerDeps,
  segments: readonly string[],
  request: FastifyRequest,
  body: RequestBody,
  reply: FastifyReply,
): Promise<ArmResponse | undefined> {
  if (!isAdmin(request.headers.authorization, deps.adminToken)) {
    throw new ArmError(
      401,
      "AuthenticationFailed",
      "The administrator's token of the simulation is required.",
      {
        headers: { "www-authenticate": "Bearer" },
      },
    );
  }
  if (segments.length === 2 && segments[1]?.toLowerCase() === "settings")
    return settings(deps.subscription, request.method, body);
  if (segments[1]?.toLowerCase() === "inventory" && segments.length === 2 && request.method === "GET") {
    return ok(JSON.parse(JSON.stringify(inventoryOf(deps.subscription))));
  }
  if (segments[1]?.toLowerCase() === "clock" && segments.length === 2) {
    return clockResponse(deps.subscription, request.method, await body.json());
  }
  if (segments[1]?.toLowerCase() === "faults" && request.method === "GET") {
    return faultsResponse(deps.subscription, segments.slice(2));
  }
  if (segments.length === 3 && segments.slice(1).join("/").toLowerCase() === "virtualmachines/boots") {
    if (request.method !== "POST")
      throw new ArmError(405, "HttpMethodNotAllowed", "Reports of boots are sent with POST.");
    const report = await body.json();
    const recorded = deps.subscription.store.transaction(() => recordBoot(deps.subscription, report));
    await deps.subscription.store.durable();
    return recorded;
  }
  if (segments.length !== 2 || segments[1]?.toLowerCase() !== "virtualmachines" || request.method !== "GET") {
    throw new ArmError(404, "InvalidRequestUri", `There is nothing at '/${segments.join("/")}'.`);
  }
  reply.hijack();
  await streamVirtualMachines(reply.raw, deps.feed, deps);
  return undefined;
}

/**
 * Handles the settings that tests change, such as quotas, sizes and rights. `GET` returns the settings. `PATCH` merges changes
 * into them.
 */
async function settings(
  subscription: SimulatedSubscription,
  method: string,
  body: RequestBody,
): Promise<ArmResponse> {
  if (method === "GET") return ok(asJson(subscription.settings.current));
  if (method !== "PATCH") {
    throw new ArmError(405, "HttpMethodNotAllowed", "The settings accept GET and PATCH.");
  }
  const patch = await body.json();
  const changed = subscription.store.transaction(() => subscription.settings.change(patch));
  await subscription.store.durable();
  return ok(asJson(changed));
}

async function authenticate(
  deps: HandlerDeps,
  request: FastifyRequest,
  baseUrl: string,
  loginUrl: string,
): Promise<Principal> {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const verdict =
    token === undefined
      ? {
          code: "AuthenticationFailed",
          message:
            "Authentication failed. The 'Authorization' header is missing or does not carry a bearer token.",
        }
      : await deps.entra.tokens.verify(token, audiences(baseUrl));
  if (!("code" in verdict)) return verdict;
  const authority = `${loginUrl}/${deps.subscription.tenantId}`;
  throw new ArmError(401, verdict.code, verdict.message, {
    headers: {
      "www-authenticate": `Bearer authorization_uri="${authority}", ${
        claimsChallenge(verdict, "") || `error="invalid_token", error_description="${verdict.message}"`
      }`,
    },
  });
}

function armRequest(
  request: FastifyRequest,
  segments: readonly string[],
  query: URLSearchParams,
  baseUrl: string,
  principal: Principal,
  body: JsonValue | undefined,
): ArmRequest {
  return {
    method: request.method,
    segments,
    query,
    ifMatch: request.headers["if-match"],
    ifNoneMatch: request.headers["if-none-match"],
    body,
    baseUrl,
    principal,
  };
}
