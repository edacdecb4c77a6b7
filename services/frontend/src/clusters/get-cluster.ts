import { paths } from "../http/paths.ts";
import { etagHeader } from "../http/preconditions.ts";
import type { Route } from "../http/route.ts";
import { knownVersion } from "../http/version-rule.ts";
import { clusterText } from "./cluster-text.ts";
import { clusterNotFound, findCluster } from "./find-cluster.ts";

export const getCluster: Route = {
  method: "GET",
  path: paths.cluster,
  versions: knownVersion,
  authorization: "caller",
  async handle(request, { database, clusterStatus }) {
    const stored = await findCluster(request, database);
    if (!stored) throw clusterNotFound(request);
    return {
      status: 200,
      headers: etagHeader(stored.etag),
      rendered: clusterText(request.version, await clusterStatus.get(stored.document, request.signal)),
    };
  },
};
