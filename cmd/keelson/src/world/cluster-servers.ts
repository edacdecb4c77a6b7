import type { ApiServerOptions } from "@keelson/apiserver";
import { timeLimit } from "@keelson/base";
import { type AdminEndpoint, getFromAdmin } from "@keelson/sim-openshift";
import type { ClusterProcess } from "../state/cluster-processes.ts";

const requestMs = 5_000;

/**
 * Returns a function that finds the port of the API server that serves a host name, for connections to the first process. The
 * function queries all further processes. A process that does not respond serves no host name.
 */
export function clusterServers(
  processes: readonly ClusterProcess[],
  admins: readonly AdminEndpoint[],
): NonNullable<ApiServerOptions["findServer"]> {
  return async (serverName) => {
    // The name of the server itself contains no dot, so its connections need no request.
    if (!serverName.includes(".")) return undefined;
    const path = `/names/${encodeURIComponent(serverName)}`;
    const answers = await Promise.allSettled(
      admins.slice(1).map((admin) => getFromAdmin(admin, path, timeLimit(requestMs))),
    );
    const found = answers.findIndex((each) => each.status === "fulfilled" && each.value !== undefined);
    return found < 0 ? undefined : processes[found + 1]?.clusters;
  };
}
