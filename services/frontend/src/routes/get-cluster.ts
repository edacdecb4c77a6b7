import { clusterText } from "../cluster-text.ts";
import { clusterNotFound, findCluster } from "../found-cluster.ts";
import { etagHeader } from "../preconditions.ts";
import type { Route } from "../route.ts";
import { knownVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const getCluster: Route = {
  method: "GET",
  path: paths.cluster,
  versions: knownVersion,
  authorization: "caller",
  async handle(exchange, { database, live }) {
    const stored = await findCluster(exchange, database);
    if (!stored) throw clusterNotFound(exchange);
    return {
      status: 200,
      headers: etagHeader(stored.etag),
      rendered: clusterText(exchange.version, await live.look(stored.document, exchange.signal)),
    };
  },
};
