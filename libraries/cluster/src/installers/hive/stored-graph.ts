import type { Secret } from "@keelson/base";
import type { ClusterContext } from "../../context.ts";
import { clusterContainer } from "../../steps/cluster-storage.ts";
import { graphContainer } from "../../templates/storage-accounts.ts";
import { openGraph } from "./sealed-graph.ts";

const graphBlob = "graph";

/** Reads what Hive's installer has put, sealed with `key`, into the cluster's storage account. */
export function storedGraph(key: Secret): (context: ClusterContext) => Promise<string | undefined> {
  return async (context) => {
    const container = await clusterContainer(context, graphContainer);
    const sealed = await container?.find(graphBlob, context.signal);
    return sealed && openGraph(sealed, key);
  };
}
