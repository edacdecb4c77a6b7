import type { Secret } from "@keelson/base";
import type { InstallContext } from "../install/install-context.ts";
import { openGraph } from "./sealed-graph.ts";

const graphBlob = "graph";

/**
 * Returns a function that reads the graph from the cluster's storage account. ARO's installer has encrypted the graph with `key`.
 */
export function storedGraph(key: Secret): (context: InstallContext) => Promise<string | undefined> {
  return async (context) => {
    const container = await context.graphContainer();
    const sealed = await container?.find(graphBlob, context.signal);
    return sealed && openGraph(sealed, key);
  };
}
