import { processName } from "../../supervisor/component.ts";
import type { ComponentDeps } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { startClusters } from "../start-clusters.ts";

/** Starts the simulated clusters and their operators in one process. `number` is the number of the process, from 1. */
export async function startClustersComponent(
  { settings, report, reportOperators, openLog, ...deps }: ComponentDeps,
  number = 1,
): Promise<AsyncDisposable> {
  report("starting the clusters");
  const state = await readInstanceState(settings.directory);
  const operatorsLogger = openLog(processName("operators", number));
  const { clusterAddresses = false } = settings;
  return startClusters(
    { ...state, ...deps, processNumber: number, operatorsLogger, reportOperators, clusterAddresses },
    settings,
  );
}
