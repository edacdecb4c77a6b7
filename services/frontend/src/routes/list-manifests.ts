import { externalManifest } from "@keelson/model";
import { clusterToMaintain } from "../found-manifest.ts";
import { limitOf, pageOf } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** What is and was planned for a cluster, in the order in which it is due. */
export const listManifests: Route = {
  method: "GET",
  path: paths.manifests,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, service) {
    const { key } = (await clusterToMaintain(exchange, service.database)).document;
    const query = { partitionKey: key, orderBy: "runAfter", limit: limitOf(exchange) };
    const { manifests } = service.database.collections;
    return pageOf(
      exchange,
      service,
      (position) => manifests.list({ ...query, ...position }, exchange.signal),
      (document) => externalManifest(document, "one cluster"),
    );
  },
};
