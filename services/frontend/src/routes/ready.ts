import { CloudError } from "@keelson/arm";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Whether a load balancer may send requests here. */
export const ready: Route = {
  method: "GET",
  path: paths.ready,
  versions: uncheckedVersion,
  authorization: "none",
  async handle(exchange, service) {
    if (await service.ready(exchange.signal)) return { status: 200, body: {} };
    throw new CloudError("InternalServerError", "Internal server error.");
  },
};
