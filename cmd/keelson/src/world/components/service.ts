import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadSdks } from "@keelson/azure";
import { allSucceeded, messageOf } from "@keelson/base";
import { clusterNamed } from "../../options/cluster-ref.ts";
import { openService } from "../../roles/service.ts";
import { embedded } from "../../state/embedded-defaults.ts";
import type { OpenDeps, OpenedComponent } from "../../supervisor/run-component.ts";
import { readInstanceState } from "../open-state.ts";
import { endpointsOf } from "../publish-endpoints.ts";
import { publishServiceConfig, serviceConfigOf } from "../publish-service-config.ts";
import { seedInstallerServices } from "../seed-installer-services.ts";
import { seedNetwork } from "../seed-network.ts";

/** Opens the database of the resource provider, the monitor and the portal. `serve` starts these roles. */
export async function openServiceComponent({
  settings,
  world,
  clock,
  logger,
  signal,
}: OpenDeps): Promise<OpenedComponent> {
  const { directory, subnetsFor, without, governance } = settings;
  const state = await readInstanceState(directory);
  const configOptions = { hasConsole: !without.includes("console"), ...(governance && { governance }) };
  const database = { kind: "embedded", directory: join(world, "database") } as const;
  const { identity, local, installerSecrets } = state;
  const open = () =>
    openService({
      config: serviceConfigOf(state, { ...configOptions, database }),
      withMaintenance: true,
      withMonitor: !without.includes("monitor"),
      withPortal: !without.includes("portal"),
      clock,
      logger,
      signal,
    });
  loadSdks();
  await using stack = new AsyncDisposableStack();
  // The database is opened later in two cases. With ARO's installer, it is opened later because the installer's files exist only
  // after the clusters serve. In a new state directory, the simulators must create their files before the database exists
  // (`requireWorld`).
  const isStored = existsSync(database.directory);
  const mustWait = installerSecrets !== undefined || (world === directory && !isStored);
  // A snapshot with a database was saved while the service was serving. It therefore contains the network.
  const hasNetwork = world !== directory && isStored;
  const early = mustWait ? undefined : stack.use(await open());
  const names = [...new Set([...subnetsFor, embedded.walkThroughCluster])].map(clusterNamed);
  const caPem = local.authority.certificatePem;
  const url = endpointsOf(state).arm;
  const opened = stack.move();
  return {
    async serve({ dependencies, report }) {
      publishServiceConfig(state, configOptions);
      const isReplaced = early !== undefined && hasNetwork;
      // A restored world already contains the service's network, so the service does not wait for the other components.
      if (!isReplaced) await dependencies;
      report("starting the resource provider");
      await using serving = new AsyncDisposableStack();
      const seedAzure = async () => {
        await seedNetwork(url, caPem, identity, names, logger, signal);
        if (installerSecrets)
          await seedInstallerServices({ url, caPem, identity, logger }, installerSecrets, signal);
      };
      const start = async () => {
        const service = early ?? serving.use(await open());
        serving.use(await service.serve());
      };
      // The service reads the secrets of ARO's installer when it starts, so they are created first. Without ARO's installer, the
      // service starts while the network is created.
      if (installerSecrets) {
        await seedAzure();
        await start();
      } else if (isReplaced) {
        await allSucceeded([dependencies, start()]);
        // Adds subnets of clusters that `--subnets-for` did not name when the snapshot was saved.
        seedAzure().catch((error: unknown) => {
          if (!signal.aborted) logger.warn({ error: messageOf(error) }, "the network was not verified");
        });
      } else {
        await allSucceeded([seedAzure(), start()]);
      }
      return serving.move();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
