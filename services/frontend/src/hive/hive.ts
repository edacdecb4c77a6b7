import {
  actionError,
  hiveClusterDeployment as clusterDeployment,
  hiveClusterSync as clusterSync,
  getSyncSet,
  type HiveContext,
  listSyncSets,
  queryFlag,
  readHiveObjects,
} from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { serviceAction } from "../admin-actions/admin-action.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";

/** Returns Hive's ClusterDeployment of a cluster. */
export const hiveClusterDeployment: Route = hiveClusterRoute("clusterdeployment", clusterDeployment);

/** Returns Hive's ClusterSync of a cluster. */
export const hiveClusterSync: Route = hiveClusterRoute("clustersync", clusterSync);

function hiveClusterRoute(
  suffix: string,
  read: (hive: HiveContext, namespace: string) => Promise<object>,
): Route {
  return serviceAction({ method: "GET", suffix }, (service, request) => ({
    read() {
      hiveOf(service, request.signal);
      return {};
    },
    async handle({ document, signal }) {
      const { namespace } = document.openShiftCluster.properties.hiveProfile ?? {};
      // Responds without content, because Hive does not manage this cluster.
      if (!namespace) return { status: 204 };
      return { status: 200, body: await read(hiveOf(service, signal), namespace) };
    },
  }));
}

/** Lists objects in the cluster on which Hive runs. The kind has the form `kind` or `kind.group`. */
export const hiveObjects = hiveRoute(paths.hiveObjects, (hive, request) =>
  readHiveObjects(hive, {
    kind: request.parameter("hiveResource"),
    namespace: request.query("namespace") ?? "",
    name: request.query("name") ?? "",
  }),
);

/**
 * Lists Hive's SyncSets in a namespace if the query contains `issyncset=true`. Without this parameter, lists all SelectorSyncSets
 * with a label.
 */
export const hiveSyncSets = hiveRoute(paths.hiveSyncSets, async (hive, request) =>
  listSyncSets(hive, { ...syncSetQuery(request), label: request.query("label") ?? "" }),
);

/** Returns one SyncSet or SelectorSyncSet. */
export const hiveSyncSet = hiveRoute(paths.hiveSyncSet, async (hive, request) =>
  getSyncSet(hive, { ...syncSetQuery(request), name: request.parameter("syncSetName") }),
);

function syncSetQuery(request: RequestContext) {
  if (request.query("issyncset") === undefined) throw invalidFlag();
  let isSyncSet: boolean;
  try {
    isSyncSet = queryFlag(request, "issyncset");
  } catch {
    throw invalidFlag();
  }
  return { isSyncSet, namespace: request.query("cdnamespace") ?? "" };
}

function invalidFlag(): CloudError {
  return new CloudError("InvalidRequestContent", "invalid paremeter value: issyncset", {
    target: "issyncset",
  });
}

/** Returns a route that reads objects of the cluster on which Hive runs. */
function hiveRoute(
  path: string,
  read: (hive: HiveContext, request: RequestContext) => Promise<object>,
): Route {
  return {
    method: "GET",
    path,
    versions: uncheckedVersion,
    async handle(request, service) {
      try {
        return { status: 200, body: await read(hiveOf(service, request.signal), request) };
      } catch (error) {
        throw actionError(error);
      }
    },
  };
}

/**
 * Returns the access to Hive.
 * @throws CloudError InvalidParameter if Hive does not install clusters
 */
function hiveOf({ hive }: Service, signal: AbortSignal): HiveContext {
  if (!hive) throw new CloudError("InvalidParameter", "hive is not enabled");
  return { kube: hive, signal };
}
