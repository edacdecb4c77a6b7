import { CloudError } from "@keelson/arm";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

/** Reports to load balancers if this process accepts requests. */
export const ready: Route = {
  method: "GET",
  path: paths.ready,
  versions: uncheckedVersion,
  authorization: "none",
  async handle(request, service) {
    if (await service.ready(request.signal)) return { status: 200, body: {} };
    throw new CloudError("InternalServerError", "Internal server error.");
  },
};
