import type { OpenDeps, OpenedComponent } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { openClusters, startClusters } from "../start-clusters.ts";

/** Loads the simulated clusters. `serve` starts them and their operators. */
export async function openClustersComponent({
  settings,
  world,
  openLog,
  ...deps
}: OpenDeps): Promise<OpenedComponent> {
  const state = await readInstanceState(settings.directory);
  const { clusterAddresses = false } = settings;
  const apiServer = await openClusters({ ...state, ...deps }, world);
  return {
    async serve({ dependencies, report, reportOperators }) {
      report("starting the clusters");
      const operatorsLogger = openLog("operators");
      const shared = { ...state, ...deps, operatorsLogger, reportOperators, clusterAddresses };
      return startClusters({ ...shared, azureServes: dependencies }, apiServer, settings);
    },
    [Symbol.asyncDispose]: () => apiServer[Symbol.asyncDispose](),
  };
}
