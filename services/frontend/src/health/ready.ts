import { CloudError } from "@keelson/arm";
import type { NotReady } from "@keelson/http";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";

/** Reports to load balancers whether this process accepts requests. */
export const ready: Route = {
  method: "GET",
  path: paths.ready,
  versions: uncheckedVersion,
  authorization: "none",
  handle: async (request, service) =>
    response(await service.readiness.reads(request.signal), request, service),
};

/** Returns status 200 if the process accepts requests and the database accepts writes. */
export const readyForWrites: Route = {
  method: "GET",
  path: paths.readyForWrites,
  versions: uncheckedVersion,
  authorization: "none",
  handle: async (request, service) =>
    response(await service.readiness.writes(request.signal), request, service),
};

/** Responds to a readiness request. The response contains the reason only for authorized API callers. */
async function response(notReady: NotReady | undefined, request: RequestContext, { admits }: Service) {
  if (!notReady) return { status: 200, body: {} };
  const isCaller = await admits(request);
  throw new CloudError("InternalServerError", isCaller ? notReady.reason : "Internal server error.");
}
