import { withTimeout } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { readClusterOperators } from "../clusters/cluster-operators.ts";
import { getCluster } from "../clusters/find-cluster.ts";
import { readMachineSets, readMachines } from "../clusters/machines.ts";
import { readNodes } from "../clusters/nodes.ts";
import { clusterFailure } from "../errors/portal-errors.ts";
import { clusterPath, type PortalRoute } from "../http/portal-route.ts";
import type { ClusterEndpoints } from "../kubeconfig/cluster-endpoints.ts";

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

const readMs = 20_000;

/** Routes that read from the cluster itself, as the SREs' user, which cannot change anything. */
export function clusterDataRoutes({ database, endpoints }: ClusterDataDeps): readonly PortalRoute[] {
  return Object.entries(reads).map(([name, read]) => ({
    method: "GET",
    path: `${clusterPath.data}/${name}`,
    access: "login",
    carriesClusterData: true,
    async handle(context) {
      const document = await getCluster(database, context);
      try {
        const { kube } = endpoints.get(document, false);
        return { status: 200, json: await read(kube, withTimeout(context.signal, readMs)) };
      } catch (error) {
        throw clusterFailure(error);
      }
    },
  }));
}
