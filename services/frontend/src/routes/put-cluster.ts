import { writeCluster } from "../cluster-write.ts";
import type { Route } from "../route.ts";
import { knownVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const putCluster: Route = {
  method: "PUT",
  path: paths.cluster,
  versions: knownVersion,
  authorization: "caller",
  handle: (exchange, service) => writeCluster("PUT", exchange, service),
};
