import type { ComponentDeps } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { startClusters } from "../start-clusters.ts";

/** Starts the simulated clusters and their operators. */
export async function startClustersComponent({
  settings,
  report,
  reportOperators,
  openLog,
  ...deps
}: ComponentDeps): Promise<AsyncDisposable> {
  report("starting the clusters");
  const state = await readInstanceState(settings.directory);
  const operatorsLogger = openLog("operators");
  const { clusterAddresses = false } = settings;
  return startClusters({ ...state, ...deps, operatorsLogger, reportOperators, clusterAddresses }, settings);
}
