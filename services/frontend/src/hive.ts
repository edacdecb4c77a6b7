import { actionError, type HiveContext } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { Exchange } from "./exchange.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";
import { uncheckedVersion } from "./version-rule.ts";

/** A route that shows something of Hive's cluster. */
export function hiveRoute(
  path: string,
  look: (hive: HiveContext, exchange: Exchange) => Promise<object>,
): Route {
  return {
    method: "GET",
    path,
    versions: uncheckedVersion,
    authorization: "caller",
    async handle(exchange, service) {
      try {
        return { status: 200, body: await look(hiveOf(service, exchange.signal), exchange) };
      } catch (error) {
        throw actionError(error);
      }
    },
  };
}

/** @throws CloudError InvalidParameter where no Hive installs clusters */
export function hiveOf({ hive }: Service, signal: AbortSignal): HiveContext {
  if (!hive) throw new CloudError("InvalidParameter", "hive is not enabled");
  return { kube: hive, signal };
}
