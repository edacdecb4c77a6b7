import { loadSdks } from "@keelson/azure";
import { rehearsePglite } from "@keelson/database";
import { clusterNamed } from "../../options/cluster-ref.ts";
import { startService } from "../../roles/service.ts";
import { embedded } from "../../state/embedded-defaults.ts";
import { rehearsalDirectory } from "../../state/rehearsal-directory.ts";
import type { ComponentSettings } from "../../supervisor/component.ts";
import type { ComponentDeps } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { endpointsOf } from "../publish-endpoints.ts";
import { publishServiceConfig } from "../publish-service-config.ts";
import { seedInstallerServices } from "../seed-installer-services.ts";
import { seedNetwork } from "../seed-network.ts";

/** Starts the resource provider, the monitor and the portal. */
export async function startServiceComponent({
  settings,
  report,
  clock,
  logger,
  signal,
}: ComponentDeps): Promise<AsyncDisposable> {
  const { directory, subnetsFor, without, governance } = settings;
  const state = await readInstanceState(directory);
  const config = publishServiceConfig(state, {
    hasConsole: !without.includes("console"),
    ...(governance ? { governance } : {}),
  });
  const caPem = state.local.authority.certificatePem;
  const names = [...new Set([...subnetsFor, embedded.walkThroughCluster])];
  const { identity, installerSecrets } = state;
  const url = endpointsOf(state).arm;
  await using stack = new AsyncDisposableStack();
  const seedAzure = async () => {
    await seedNetwork(url, caPem, identity, names.map(clusterNamed), logger, signal);
    if (installerSecrets)
      await seedInstallerServices({ url, caPem, identity, logger }, installerSecrets, signal);
  };
  const start = async () => {
    report("starting the resource provider");
    stack.use(
      await startService({
        config,
        withMaintenance: true,
        withMonitor: !without.includes("monitor"),
        withPortal: !without.includes("portal"),
        clock,
        logger,
        signal,
      }),
    );
  };
  // The service reads secrets of ARO's installer at its start. Without them, it starts while the network is created.
  if (installerSecrets) {
    await seedAzure();
    await start();
  } else {
    const outcomes = await Promise.allSettled([seedAzure(), start()]);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }
  return stack.move();
}

/**
 * Loads the code that the start needs: the SDK clients for Azure and the embedded database. A standby process then starts in a
 * third of the time.
 */
export async function warmServiceComponent({ directory }: ComponentSettings): Promise<void> {
  loadSdks();
  await rehearsePglite(rehearsalDirectory(directory));
}
