import type { ComponentDeps } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { startAzure } from "../start-azure.ts";

/** The simulated Azure. */
export async function startAzureComponent({
  settings,
  report,
  ...deps
}: ComponentDeps): Promise<AsyncDisposable> {
  report("starting the simulated Azure");
  const { clusterAddresses = false } = settings;
  return startAzure({ ...(await readInstanceState(settings.directory)), ...deps, clusterAddresses });
}
