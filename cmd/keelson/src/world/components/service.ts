import { startService } from "../../roles/service.ts";
import { embedded } from "../../state/embedded-defaults.ts";
import type { ComponentDeps } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { endpointsOf } from "../publish-endpoints.ts";
import { publishServiceConfig } from "../publish-service-config.ts";
import { seedNetwork } from "../seed-network.ts";

/** The resource provider, with the monitor and the portal. */
export async function startServiceComponent({
  settings,
  report,
  clock,
  logger,
  signal,
}: ComponentDeps): Promise<AsyncDisposable> {
  const { directory, subnetsFor, without } = settings;
  const state = await readInstanceState(directory);
  const config = publishServiceConfig(state, { hasConsole: !without.includes("console") });
  const names = [...new Set([...subnetsFor, embedded.walkThroughCluster])];
  const caPem = state.local.authority.certificatePem;
  await seedNetwork(endpointsOf(state).arm, caPem, state.identity, names, logger, signal);
  report("starting the resource provider");
  return startService({
    config,
    withMaintenance: true,
    withMonitor: !without.includes("monitor"),
    withPortal: !without.includes("portal"),
    clock,
    logger,
    signal,
  });
}
