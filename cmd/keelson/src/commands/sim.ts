import { extname, join, resolve } from "node:path";
import process from "node:process";
import { aborted, createLogger, Secret, systemClock } from "@keelson/base";
import type { UnknownPrograms } from "@keelson/sim-openshift";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fromEmbeddedWorld } from "../configuration/embedded-world.ts";
import { clusterNamed } from "../options/cluster-ref.ts";
import {
  addClusterAddresses,
  addPortOptions,
  aroInstallerOption,
  logLevelOption,
  type OperatorMode,
  operatorsOption,
  type PortFlags,
  parsePort,
  portChoice,
  publishOption,
  seedOption,
  stateOption,
  subnetsOption,
  unknownProgramsOption,
} from "../options/options.ts";
import { shellWord } from "../output/shell-word.ts";
import { buildVersion } from "../process/build-version.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { rememberedClusterProcesses } from "../state/cluster-processes.ts";
import { lastControlPort } from "../state/endpoints.ts";
import { portNames, worldPortNames } from "../state/ports.ts";
import { addSimAudit } from "./sim-audit.ts";
import { addSimClock } from "./sim-clock.ts";
import { addSimConsole } from "./sim-console.ts";
import { addSimFaults } from "./sim-faults.ts";
import { addSimImages } from "./sim-images.ts";
import { addSimSnapshot } from "./sim-snapshot.ts";

interface SimFlags extends PortFlags {
  readonly state: string;
  readonly subnetsFor: readonly string[];
  readonly operators: OperatorMode;
  readonly unknownPrograms: UnknownPrograms;
  readonly clusterAddresses?: boolean;
  readonly cosmosPort?: number;
  readonly machines?: boolean;
  readonly machineProgram: Readonly<Record<string, string>>;
  readonly aroInstaller?: string;
  readonly seed?: number;
  readonly publish?: boolean;
  readonly logLevel: string;
}

export function addSim(root: Command): Command {
  const command = root
    .command("sim")
    .description("run the simulated world (Azure and OpenShift clusters) without the service")
    .argument(
      "[part]",
      '"azure" runs only the simulated Azure. "clusters" runs the simulated Azure and the simulated clusters',
      "clusters",
    )
    .addOption(stateOption())
    .addOption(subnetsOption())
    .addOption(operatorsOption())
    .addOption(unknownProgramsOption())
    .addOption(aroInstallerOption())
    .addOption(seedOption())
    .addOption(publishOption("A resource provider that is started with the generated service.json"))
    .addOption(logLevelOption())
    .option(
      "--cosmos-port <n>",
      "also run an in-memory Cosmos DB account on this port, and write the account's address to service.json (default: no account)",
      parsePort,
    )
    .option(
      "--machines",
      "run the systemd units of simulated VMs as local processes. `keelson deploy` creates these VMs. " +
        "The load balancers of these VMs listen on --rp-port, --portal-port and --ssh-port (default: units do not run)",
    )
    .addOption(
      new Option(
        "--machine-program <tag=file...>",
        "with --machines: Keelson program for VMs that were deployed with the service image tag <tag>. <file> is main.ts in a checkout of the version to run",
      )
        .default({}, "the running version, for all tags")
        .argParser(programOfTag),
    )
    .addHelpText(
      "after",
      "\nWrites the configuration file service.json to the state directory. `keelson rp --state DIR` reads this file.\nSIGTERM stops the simulated world. The state of the simulated world stays on disk.",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson sim --state /tmp/try --ports auto\n  keelson sim azure --cosmos-port 8081",
    )
    .action(run)
    // Options after a subcommand of `sim` belong to the subcommand.
    .enablePositionalOptions();
  addSimFaults(command);
  addSimImages(command);
  addSimClock(command);
  addSimAudit(command);
  addSimConsole(command);
  addSimSnapshot(command);
  return addPortOptions(addClusterAddresses(command), portNames, simPortHelp);
}

/** Descriptions of ports on which `keelson sim` itself does not listen. */
const simPortHelp = {
  rp: "port of the resource provider. The command does not listen on this port, but saves it in service.json. With --machines, the load balancer of the resource provider's VMs listens on this port",
  metrics: "metrics port of the service, saved in service.json",
  portal:
    "HTTPS port of the portal, saved in service.json. With --machines, the load balancer of the portal's VMs listens on this port",
  ssh: "SSH port of the portal, saved in service.json. With --machines, the load balancer of the portal's VMs listens on this port",
  console:
    'port of the web console, saved for "keelson up" with this state directory. "keelson sim" does not run the web console',
};

const ownProgram = join(import.meta.dirname, "..", `main${extname(import.meta.url)}`);

function programOfTag(text: string, all: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("expected TAG=FILE.");
  return { ...all, [text.slice(0, at)]: resolve(text.slice(at + 1)) };
}

async function run(part: string, flags: SimFlags, command: Command): Promise<void> {
  if (part !== "azure" && part !== "clusters")
    command.error(`error: unknown part "${part}": azure or clusters`);
  const processes = rememberedClusterProcesses(flags.state);
  if (part === "clusters" && processes > 1)
    command.error(
      `error: the state directory ${flags.state} was created with --cluster-processes ${processes}, which "keelson sim" does not ` +
        `support. Start it with \`keelson up --state ${shellWord(flags.state)}\`.`,
    );
  const {
    EmbeddedWorld,
    openClusters,
    openState,
    ProcessMachines,
    publishEndpoints,
    publishPorts,
    publishServiceConfig,
    seedInstallerServices,
    seedNetwork,
    startAzure,
    startClusters,
    startControlServer,
    startCosmos,
    WorldControl,
  } = await fromEmbeddedWorld(() => import("../world/parts.ts"));
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("stopping"));
  await using stack = new AsyncDisposableStack();
  const state = stack.use(
    await openState(flags.state, portChoice(flags), {
      parts: part === "azure" ? ["azure"] : undefined,
      aroInstaller: flags.aroInstaller,
      seed: flags.seed,
      // Only the ports of the simulated world must be free. The remaining ports may be in use by a resource provider that already
      // runs. With `--machines` all ports must be free.
      listening: flags.machines === true ? portNames : worldPortNames,
    }),
  );
  const hostOptions = {
    directory: join(state.directory, "machines"),
    script: (tag: string) => flags.machineProgram[tag] ?? ownProgram,
    metadata: { url: `https://localhost:${state.ports.azure}`, caFile: state.local.caFile },
    ports: {
      "rp-lbrule": state.ports.rp,
      "portal-lbrule": state.ports.portal,
      "portal-lbrule-ssh": state.ports.ssh,
    },
    clock: systemClock,
    logger,
  };
  const machineHost = flags.machines === true ? stack.use(new ProcessMachines(hostOptions)) : undefined;
  await machineHost?.start();
  const deps = {
    ...state,
    clock: systemClock,
    logger,
    ...(machineHost ? { machineHost } : {}),
    ...(flags.clusterAddresses ? { clusterAddresses: true } : {}),
  };
  const caPem = state.local.authority.certificatePem;
  const { identity, installerSecrets } = state;
  const arm = `https://localhost:${state.ports.azure}`;
  const open = async (): Promise<AsyncDisposable> => {
    await using started = new AsyncDisposableStack();
    const azure = started.use(await startAzure(deps));
    const cosmos =
      flags.cosmosPort === undefined
        ? undefined
        : started.use(await startCosmos(deps, azure, flags.cosmosPort));
    if (part === "clusters") {
      const apiServer = started.use(await openClusters(deps, state.directory));
      started.use(await startClusters(deps, apiServer, flags));
    }
    publishServiceConfig(state, cosmos ? { database: cosmos.database } : {});
    await seedNetwork(arm, caPem, identity, flags.subnetsFor.map(clusterNamed), logger, signal);
    if (installerSecrets)
      await seedInstallerServices({ url: arm, caPem, identity, logger }, installerSecrets, signal);
    return started.move();
  };
  const world = stack.use(new EmbeddedWorld(open));
  // If one of these options is set, snapshots are disabled. A snapshot contains neither the in-memory Cosmos DB account nor the
  // disks of service machines.
  const hasSnapshots = flags.cosmosPort === undefined && machineHost === undefined;
  const snapshots = hasSnapshots
    ? stack.use(
        new WorldControl({
          directory: state.directory,
          processes: world,
          version: buildVersion(),
          clock: systemClock,
          logger,
        }),
      )
    : undefined;
  await world.start();
  const control = snapshots
    ? stack.use(
        await startControlServer({
          tls: state.local.serving,
          token: new Secret(identity.adminToken),
          port: lastControlPort(state.directory),
          control: snapshots,
          logger,
        }),
      )
    : undefined;
  const endpoints = publishEndpoints(state, control ? { control: control.url } : {});
  // Also publishes the ports on which this process does not listen, because service roles listen on these ports.
  if (flags.publish) stack.use(await publishPorts(portNames.map((name) => state.ports[name])));
  process.stdout.write(`${JSON.stringify({ arm: endpoints.arm, clusters: endpoints.clusters })}\n`);
  await aborted(signal);
}
