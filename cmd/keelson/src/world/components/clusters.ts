import { processName } from "../../supervisor/component.ts";
import type { OpenDeps, OpenedComponent } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { openClusters, startClusters } from "../start-clusters.ts";

/**
 * Loads the simulated clusters of one process. `serve` starts them and their operators. `number` is the number of the process, from
 * 1.
 */
export async function openClustersComponent(
  { settings, world, openLog, ...deps }: OpenDeps,
  number = 1,
): Promise<OpenedComponent> {
  const state = await readInstanceState(settings.directory);
  const { clusterAddresses = false } = settings;
  const common = { ...state, ...deps, processNumber: number, clusterAddresses };
  const apiServer = await openClusters(common, world);
  return {
    async serve({ dependencies, report, reportOperators }) {
      report("starting the clusters");
      const operatorsLogger = openLog(processName("operators", number));
      const shared = { ...common, operatorsLogger, reportOperators };
      return startClusters({ ...shared, azureServes: dependencies }, apiServer, settings);
    },
    [Symbol.asyncDispose]: () => apiServer[Symbol.asyncDispose](),
  };
}
