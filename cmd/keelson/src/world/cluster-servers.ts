import type { ApiServerOptions } from "@keelson/apiserver";
import { timeLimit } from "@keelson/base";
import { type AdminEndpoint, getFromAdmin } from "@keelson/sim-openshift";
import type { ClusterProcess } from "../state/cluster-processes.ts";

const requestMs = 5_000;

/**
 * Returns a function for the first process, which receives the connections to all clusters. The function returns the port of the
 * process that serves a host name. It queries all other processes, and ignores processes that do not respond.
 */
export function clusterServers(
  processes: readonly ClusterProcess[],
  admins: readonly AdminEndpoint[],
): NonNullable<ApiServerOptions["findServer"]> {
  return async (serverName) => {
    // A server name without a dot is the name of this server, so no request is needed.
    if (!serverName.includes(".")) return undefined;
    const path = `/names/${encodeURIComponent(serverName)}`;
    const answers = await Promise.allSettled(
      admins.slice(1).map((admin) => getFromAdmin(admin, path, timeLimit(requestMs))),
    );
    const found = answers.findIndex((each) => each.status === "fulfilled" && each.value !== undefined);
    return found < 0 ? undefined : processes[found + 1]?.clusters;
  };
}
