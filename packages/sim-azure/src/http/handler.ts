import type { Clock, Logger, Secret } from "@keelson/base";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { pathSegments } from "../arm/arm-path.ts";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import { audiences, cloudMetadata } from "../arm/metadata.ts";
import { handle as handleArm } from "../arm/router.ts";
import type { World } from "../arm/world.ts";
import { type EntraDeps, handleEntra } from "../entra/entra.ts";
import type { Principal } from "../entra/principal.ts";
import type { VirtualMachineFeed } from "../hypervisor/virtual-machine-feed.ts";
import { isAdmin, streamVirtualMachines } from "../hypervisor/virtual-machine-stream.ts";
import { jsonBody } from "./bodies.ts";

export interface HandlerDeps {
  readonly world: World;
  readonly entra: EntraDeps;
  readonly feed: VirtualMachineFeed;
  readonly adminToken: Secret;
  /** The start of links in answers; the host that the client called when absent. */
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Sends a request to the part of the simulation that its path belongs to, and waits until its writes are on disk. */
export async function handleRequest(
  deps: HandlerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ArmResponse | undefined> {
  const baseUrl = deps.publicUrl ?? `https://${calledHost(request)}`;
  const [path = "", query = ""] = (request.originalUrl || "/").split(/\?(.*)/s);
  const segments = pathSegments(path);
  const parameters = new URLSearchParams(query);
  switch (segments[0]?.toLowerCase()) {
    case "metadata":
      if (segments[1]?.toLowerCase() === "endpoints" && request.method === "GET") {
        return cloudMetadata(baseUrl, deps.world.tenantId, parameters.get("api-version"));
      }
      break;
    case "sim":
      return simulation(deps, segments, request, reply);
    case "subscriptions":
    case "providers":
    case "tenants": {
      const principal = await authenticate(deps, request, baseUrl);
      await operationNearEnd(deps.world, segments);
      const answer = handleArm(deps.world, armRequest(request, segments, parameters, baseUrl, principal));
      await deps.world.store.durable();
      return answer;
    }
    default: {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const answer = await handleEntra(deps.entra, { segments, form, baseUrl });
      if (answer) return answer;
    }
  }
  throw new ArmError(404, "InvalidRequestUri", `There is nothing at '/${segments.join("/")}'.`);
}

/** Clients look at an operation no more often than every second: one that is nearly over is better waited for. */
async function operationNearEnd(world: World, segments: readonly string[]): Promise<void> {
  const [kind = "", id = ""] = segments.slice(-2);
  if (/^operation(s|results)$/i.test(kind)) await world.operations.nearEnd(id);
}

/** The `Host` header goes into links and other headers, so that it must be nothing but a host. */
function calledHost(request: FastifyRequest): string {
  if (/^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(request.host)) return request.host;
  throw badRequest("InvalidHostName", "The 'Host' header of the request is invalid.");
}

async function simulation(
  deps: HandlerDeps,
  segments: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
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
  if (segments.length !== 2 || segments[1]?.toLowerCase() !== "virtualmachines" || request.method !== "GET") {
    throw new ArmError(404, "InvalidRequestUri", `There is nothing at '/${segments.join("/")}'.`);
  }
  reply.hijack();
  await streamVirtualMachines(reply.raw, deps.feed, deps);
  return undefined;
}

async function authenticate(deps: HandlerDeps, request: FastifyRequest, baseUrl: string): Promise<Principal> {
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
  const authority = `${baseUrl}/${deps.world.tenantId}`;
  throw new ArmError(401, verdict.code, verdict.message, {
    headers: {
      "www-authenticate": `Bearer authorization_uri="${authority}", error="invalid_token", error_description="${verdict.message}"`,
    },
  });
}

function armRequest(
  request: FastifyRequest,
  segments: readonly string[],
  query: URLSearchParams,
  baseUrl: string,
  principal: Principal,
): ArmRequest {
  return {
    method: request.method,
    segments,
    query,
    ifMatch: request.headers["if-match"],
    ifNoneMatch: request.headers["if-none-match"],
    body: jsonBody(request),
    baseUrl,
    principal,
  };
}
