import { writeCluster } from "../cluster-write.ts";
import type { Route } from "../route.ts";
import { knownVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const patchCluster: Route = {
  method: "PATCH",
  path: paths.cluster,
  versions: knownVersion,
  authorization: "caller",
  handle: (exchange, service) => writeCluster("PATCH", exchange, service),
};
