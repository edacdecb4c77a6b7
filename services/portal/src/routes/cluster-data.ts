import { withTimeout } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { readClusterOperators } from "../clusters/cluster-operators.ts";
import { getCluster } from "../clusters/find-cluster.ts";
import { readMachineSets, readMachines } from "../clusters/machines.ts";
import { readNodes } from "../clusters/nodes.ts";
import { clusterFailure } from "../errors/portal-errors.ts";
import { clusterPath, type PortalContext, type PortalRoute } from "../http/portal-route.ts";
import type { ClusterEndpoints } from "../kubeconfig/cluster-endpoints.ts";
import { printableValue } from "../text/printable.ts";

export interface ClusterDataDeps {
  readonly database: ServiceDatabase;
  readonly endpoints: ClusterEndpoints;
}

type Read = (kube: KubeClient, signal: AbortSignal) => Promise<unknown>;

const reads: Readonly<Record<string, Read>> = {
  clusteroperators: readClusterOperators,
  nodes: readNodes,
  machines: readMachines,
  "machine-sets": readMachineSets,
};

/** Time limit of a cluster read in ms. */
export const readMs = 20_000;

/** Routes that read from the cluster itself. They use the SREs' user, which is not allowed to change objects. */
export function clusterDataRoutes(deps: ClusterDataDeps): readonly PortalRoute[] {
  return Object.entries(reads).map(([name, read]) => ({
    method: "GET",
    path: `${clusterPath.data}/${name}`,
    carriesClusterData: true,
    handle: (context) =>
      withCluster(deps, context, async (kube) => ({
        status: 200,
        json: printableValue(await read(kube, withTimeout(context.signal, readMs))),
      })),
  }));
}

/**
 * Calls `use` with a client of the cluster in the path. The client has the credentials of the SREs' user.
 * @throws the portal's error for a failed read
 */
export async function withCluster<T>(
  { database, endpoints }: ClusterDataDeps,
  context: PortalContext,
  use: (kube: KubeClient) => Promise<T>,
): Promise<T> {
  const document = await getCluster(database, context);
  try {
    return await use(endpoints.get(document, false).kube);
  } catch (error) {
    throw clusterFailure(error);
  }
}
