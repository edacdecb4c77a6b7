import { externalManifest } from "@keelson/model";
import { limitOf, pageOf } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** What is due and waits for an actuator, of all clusters, the longest waiting first. */
export const listQueuedManifests: Route = {
  method: "GET",
  path: paths.queuedManifests,
  versions: uncheckedVersion,
  authorization: "caller",
  handle(exchange, service) {
    const { manifests } = service.database.collections;
    const query = { where: { state: "Pending" }, orderBy: "runAfter", limit: limitOf(exchange) };
    const nowSeconds = service.clock.now().getTime() / 1000;
    return pageOf(
      exchange,
      service,
      async (position) => {
        const { items, continuation } = await manifests.list({ ...query, ...position }, exchange.signal);
        const due = items.filter(({ document }) => document.maintenanceManifest.runAfter <= nowSeconds);
        // They are in the order of their times: behind the first that is not due, none is.
        const isLast = due.length < items.length || continuation === undefined;
        return { items: due, ...(isLast ? {} : { continuation }) };
      },
      (document) => externalManifest(document, "many clusters"),
    );
  },
};
